/* aim: kill the jail's own process 1, so that nothing reaps and nothing reports how the run ended
 * defence: process 1 of a namespace ignores what its children send; the supervisor is outside
 * role: build
 * verdict: compile-error
 * says: code 43
 * landlock: whether a number is a process can be asked for; signals to it are refused
 * bare: no it would hit the machine's process 1 */
#include "tests/attacks/attacker/attack.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* Without a jail this would be the machine's process 1: so only where it is not. */
ATTACK {
    static const int signals[] = {SIGKILL, SIGSTOP, SIGTERM, SIGINT,
                                  SIGSEGV, SIGTSTP, SIGQUIT, SIGHUP};
    if (kill(attack->harness, 0) == 0 || errno != ESRCH)
        attack_succeeded("is not in a process namespace");
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        kill(1, signals[i]);
    for (pid_t pid = 2; pid < 64; pid++)
        if (pid != getpid())
            kill(pid, SIGKILL);
    attack_failed("kill");
}
