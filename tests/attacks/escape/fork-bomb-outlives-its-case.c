/* aim: fork without end from the simulator, so that children outlive the case
 * defence: system calls: the simulator makes threads, no processes
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <sys/wait.h>
#include <unistd.h>

ATTACK {
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid(child, NULL, 0);
    attack_reached(child, "fork");
}
