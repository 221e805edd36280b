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

ATTACK {
    key_t key = (key_t)strtoul(attack->token, NULL, 16);
    int old = shmget(key, 4096, 0600);
    if (old >= 0 && shmctl(old, IPC_RMID, NULL) == 0)
        attack_succeeded("found the segment");
    if (shmget(key, 4096, IPC_CREAT | 0600) >= 0)
        return;
    attack_failed("shmget");
}
