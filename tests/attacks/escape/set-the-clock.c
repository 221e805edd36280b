/* aim: set the machine's clock, on which the wall clock's limit might rest
 * defence: system calls: forbidden; the limit rests on the monotonic clock
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/syscall.h>
#include <unistd.h>

ATTACK {
    attack_reached(syscall(SYS_settimeofday, NULL, NULL), "settimeofday");
}
