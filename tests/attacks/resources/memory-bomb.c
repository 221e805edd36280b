/* aim: take more memory than a case may
 * defence: the memory cgroup, else the supervisor's look at the tree; RLIMIT_DATA before either
 * role: sim
 * options: --memory-limit 400
 * verdict: memory-limit
 * says: 400 MiB
 * bare: no the supervisor's limits stay */
#include "tests/attacks/attacker/attack.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

ATTACK {
    enum { STEP = 1 << 20, MOST = 4096 };
    for (int i = 0; i < MOST; i++) {
        char *memory = mmap(NULL, STEP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            abort(); /* as a program does that cannot go on */
        memset(memory, 1, STEP);
    }
    attack_succeeded("took 4 GiB");
}
