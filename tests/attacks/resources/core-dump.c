/* aim: leave a core dump of the worker, with all that it holds
 * defence: RLIMIT_CORE is 0, hard
 * role: sim
 * stage: started
 * verdict: internal-error
 * exit: 3
 * bare: no RLIMIT_CORE stays */
#include "tests/attacks/attacker/attack.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>

ATTACK {
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY}, now;
    setrlimit(RLIMIT_CORE, &all);
    prctl(PR_SET_DUMPABLE, 1);
    if (getrlimit(RLIMIT_CORE, &now) == 0 && now.rlim_cur != 0)
        attack_succeeded("may dump %lu bytes", (unsigned long)now.rlim_cur);
    abort();
}
