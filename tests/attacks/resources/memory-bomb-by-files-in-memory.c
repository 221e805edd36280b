/* aim: take memory that RLIMIT_DATA does not count: files in memory
 * defence: system calls: the simulator has no memfd_create; the cgroup would count it
 * role: sim
 * stage: started
 * options: --memory-limit 400
 * verdict: internal-error
 * exit: 3
 * says: code 43
 * bare: no the cgroup's limits stay */
#include "tests/attacks/attacker/attack.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* 600 MiB where 400 are allowed, in files that are each within RLIMIT_FSIZE. */
ATTACK {
    enum { PIECE = 1 << 20, PIECES = 200, FILES = 3 };
    char *bytes = calloc(1, PIECE);
    for (int i = 0; i < FILES; i++) {
        int descriptor = memfd_create(attack->token, 0);
        for (int j = 0; j < PIECES; j++)
            if (descriptor < 0 || !bytes || write(descriptor, bytes, PIECE) != PIECE)
                attack_failed("memfd_create");
    }
    attack_succeeded("took %d MiB", FILES * PIECES);
}
