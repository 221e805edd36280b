/* aim: type a command into the instructor's shell (TIOCSTI)
 * defence: system calls: this ioctl is forbidden, and no terminal is inherited
 * role: build
 * verdict: compile-error
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/ioctl.h>

ATTACK {
    attack_reached(ioctl(0, TIOCSTI, "x"), "ioctl");
}
