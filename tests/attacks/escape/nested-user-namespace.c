/* aim: become root in a user namespace of its own, with all the kernel that this opens
 * defence: system calls: unshare, and clone with new namespaces, are forbidden
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sched.h>

ATTACK {
    attack_reached(unshare(CLONE_NEWUSER), "unshare");
}
