/* aim: answer, close every descriptor and go on computing
 * defence: the run ends when its first process has ended or its time is over, not when its pipes
 *     close
 * role: sim
 * stage: started
 * options: --time-limit 0.2
 * verdict: time-limit
 * says: 0.2 s
 * bare: no the wall clock is watched without the jail, too */
#include "tests/attacks/attacker/attack.h"

#include <sys/syscall.h>
#include <unistd.h>

static int word;

ATTACK {
    for (int descriptor = 0; descriptor < 8; descriptor++)
        close(descriptor);
    for (;;)
        syscall(SYS_futex, &word, 0 /* wait */, 0, NULL, NULL, 0);
}
