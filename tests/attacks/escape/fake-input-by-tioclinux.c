/* aim: paste into the console (TIOCLINUX)
 * defence: system calls: this ioctl is forbidden
 * role: build
 * verdict: compile-error
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/ioctl.h>

ATTACK {
    attack_reached(ioctl(0, TIOCLINUX, "\x03"), "ioctl");
}
