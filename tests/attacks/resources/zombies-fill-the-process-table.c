/* aim: fill the process table with dead children that no process waits for
 * defence: the pids cgroup counts them; they end with the process namespace
 * role: build
 * verdict: compile-error
 * says: process limit|code 43
 * bare: no the cgroup's limits stay */
#include "tests/attacks/attacker/attack.h"

#include <unistd.h>

ATTACK {
    enum { MOST = 300 };
    for (int i = 0; i < MOST; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        if (child < 0)
            attack_failed("fork");
    }
    attack_succeeded("left %d zombies", MOST);
}
