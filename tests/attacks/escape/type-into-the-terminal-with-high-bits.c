/* aim: the same with bits that the kernel cuts off and a careless filter compares
 * defence: system calls: 32 bits of the request are compared
 * role: build
 * verdict: compile-error
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

ATTACK {
    attack_reached(syscall(SYS_ioctl, 0, 0xdeadbeef00000000ul | TIOCSTI, "x"), "ioctl");
}
