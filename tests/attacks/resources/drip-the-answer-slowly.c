/* aim: keep the grader waiting by an answer that always goes on
 * defence: the wall clock is looked at whatever comes
 * role: sim
 * options: --time-limit 0.2
 * verdict: time-limit
 * says: 0.2 s
 * bare: no the supervisor's limits stay */
#include "tests/attacks/attacker/attack.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word;

ATTACK {
    struct timespec pause = {0, 10000000};
    while (attack_answer("x", 1))
        syscall(SYS_futex, &word, 0 /* wait */, 0, &pause, NULL, 0);
    attack_failed("write");
}
