/* aim: make a device node for the machine's memory
 * defence: system calls: mknod is forbidden, and nothing is writable
 * role: build
 * verdict: compile-error
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

ATTACK {
    attack_reached(mknod("/no/such/folder/mem", S_IFCHR | 0600, makedev(1, 1)), "mknod");
}
