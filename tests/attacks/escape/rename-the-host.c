/* aim: rename the machine
 * defence: system calls: sethostname is forbidden; the host's name space is its own
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/syscall.h>
#include <unistd.h>

ATTACK {
    attack_reached(syscall(SYS_sethostname, NULL, 1), "sethostname");
}
