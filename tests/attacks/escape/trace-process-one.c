/* aim: trace a process outside, or the jail's process 1, which once hung bubblewrap for minutes
 * defence: system calls: ptrace is forbidden; the wall clock is watched from outside
 * role: build
 * verdict: compile-error
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <signal.h>
#include <sys/ptrace.h>

ATTACK {
    if (ptrace(PTRACE_SEIZE, attack->harness, NULL, NULL) == 0)
        attack_succeeded("traces process %d", (int)attack->harness);
    attack_reached(ptrace(PTRACE_ATTACH, kill(attack->harness, 0) != 0 ? 1 : 0, NULL, NULL),
                   "ptrace");
}
