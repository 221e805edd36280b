/* aim: end the grader by SIGBUS, or fill its memory, by the size of the data that both share
 * defence: system calls: ftruncate is forbidden; the file is sealed, and the grader never maps it
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: no the data is sealed without the jail, too */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>
#include <unistd.h>

ATTACK {
    enum { DATA = 3 };
    if (ftruncate(DATA, 0) == 0 || ftruncate(DATA, 1l << 40) == 0 ||
        fallocate(DATA, 0, 0, 1l << 30) == 0 || fcntl(DATA, F_ADD_SEALS, F_SEAL_WRITE) == 0)
        attack_succeeded("changed the data");
    attack_failed("ftruncate");
}
