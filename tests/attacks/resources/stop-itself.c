/* aim: keep the grader waiting by a worker that is stopped, which is neither running nor ended
 * defence: the wall clock's limit; SIGKILL ends what is stopped, too
 * role: sim
 * options: --time-limit 0.2
 * verdict: time-limit
 * says: 0.2 s
 * bare: no the supervisor's limits stay */
#include "tests/attacks/attacker/attack.h"

#include <signal.h>

ATTACK {
    for (;;)
        raise(SIGSTOP);
}
