/* aim: mount what the jail hides
 * defence: system calls: mount is forbidden
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/mount.h>

ATTACK {
    attack_reached(mount("/", NULL, NULL, MS_BIND, NULL), "mount");
}
