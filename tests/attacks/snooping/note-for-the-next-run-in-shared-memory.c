/* aim: leave a System V segment in one run and find it in the next
 * defence: an IPC namespace of its own; the call is not there
 * role: sim
 * stage: started
 * cases: *-element*
 * options: --jobs 1
 * verdict: internal-error
 * exit: 3
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/shm.h>

static bool removed(key_t key) {
    int segment = shmget(key, 4096, 0600);
    return segment >= 0 && shmctl(segment, IPC_RMID, NULL) == 0;
}

/* Two cases: a run of both that breaks off is made again for each, which both find a segment. */
ATTACK {
    key_t first = (key_t)strtoul(attack->token, NULL, 16), second = first ^ 1;
    if (removed(second) || (removed(first) && shmget(second, 4096, IPC_CREAT | 0600) >= 0))
        attack_succeeded("found the segment");
    if (shmget(first, 4096, IPC_CREAT | 0600) >= 0)
        attack_failed("left a segment");
    attack_failed("shmget");
}
