/* aim: hold the kernel up while it copies, by userfaultfd
 * defence: system calls: userfaultfd is forbidden
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/syscall.h>
#include <unistd.h>

ATTACK {
    attack_reached(syscall(SYS_userfaultfd, 1 /* of user mode only */), "userfaultfd");
}
