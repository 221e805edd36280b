/* aim: fork without end from the compiler
 * defence: the pids cgroup, else RLIMIT_NPROC inside the user namespace
 * needs: counted-processes
 * role: build
 * verdict: compile-error
 * says: process limit|code 43
 * bare: no the cgroup's limits stay */
#include "tests/attacks/attacker/attack.h"

#include <sys/syscall.h>
#include <unistd.h>

ATTACK {
    enum { MOST = 300 };
    static int word;
    for (int i = 0; i < MOST; i++) {
        pid_t child = fork();
        if (child == 0)
            for (;;)
                syscall(SYS_futex, &word, 0 /* wait */, 0, NULL, NULL, 0);
        if (child < 0)
            attack_failed("fork");
    }
    attack_succeeded("forked %d times", MOST);
}
