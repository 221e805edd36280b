/* aim: reboot, or load a module
 * defence: system calls: both are forbidden, and there are no capabilities
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/syscall.h>
#include <unistd.h>

ATTACK {
    attack_reached(syscall(SYS_reboot, 0 /* not the magic number */, 0, 0, NULL), "reboot");
}
