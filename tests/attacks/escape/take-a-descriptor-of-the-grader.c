/* aim: take an open file out of the grader's process
 * defence: system calls: pidfd_getfd is forbidden; no process outside can be named
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/syscall.h>
#include <unistd.h>

ATTACK {
    int process = (int)syscall(SYS_pidfd_open, attack->harness, 0);
    attack_reached(syscall(SYS_pidfd_getfd, process, 0, 0), "pidfd_getfd");
}
