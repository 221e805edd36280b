/* aim: leave the jail's root with chroot
 * defence: system calls: chroot is forbidden
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <unistd.h>

ATTACK {
    attack_reached(chroot("/no/such/folder"), "chroot");
}
