/* aim: leave a process that goes on when the compiler has answered
 * defence: the process namespace ends with its first process, and all that is in it
 * role: build
 * stage: started
 * verdict: pass
 * bare: no the cgroup is emptied without the jail, too */
#include "tests/attacks/attacker/attack.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Twice forked and in a session of its own, where that is allowed: no process group holds it. */
static int word;

ATTACK {
    pid_t child = fork();
    if (child < 0)
        attack_failed("fork");
    if (child > 0) {
        waitpid(child, NULL, 0);
        return;
    }
    setsid();
    if (fork() != 0)
        _exit(0);
    for (int descriptor = 0; descriptor < 64; descriptor++)
        close(descriptor);
    for (;;)
        syscall(SYS_futex, &word, 0 /* wait */, 0, NULL, NULL, 0);
}
