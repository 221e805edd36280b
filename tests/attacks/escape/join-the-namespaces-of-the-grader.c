/* aim: leave its namespaces for those of a process outside
 * defence: system calls: setns is forbidden, and no process outside can be named
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

ATTACK {
    int descriptor = (int)syscall(SYS_pidfd_open, attack->harness, 0);
    attack_reached(setns(descriptor, 0), "setns");
}
