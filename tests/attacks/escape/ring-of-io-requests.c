/* aim: do file and network work by io_uring, past the filter
 * defence: system calls: io_uring is forbidden
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/syscall.h>
#include <unistd.h>

ATTACK {
    char parameters[256] = {0};
    attack_reached(syscall(SYS_io_uring_setup, 4, parameters), "io_uring_setup");
}
