/* aim: keep the grader waiting
 * defence: the wall clock's limit
 * role: sim
 * options: --time-limit 0.2
 * verdict: time-limit
 * says: 0.2 s
 * bare: no the supervisor's limits stay */
#include "tests/attacks/attacker/attack.h"

#include <sys/syscall.h>
#include <unistd.h>

static int word;

ATTACK {
    for (;;)
        syscall(SYS_futex, &word, 0 /* wait */, 0, NULL, NULL, 0);
}
