/* aim: leave a file in one run and find it in the next
 * defence: no place to write in the simulator; a jail's file system ends with it
 * role: sim
 * stage: started
 * cases: *-element*
 * options: --jobs 1
 * verdict: internal-error
 * exit: 3
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Two cases: a run of both that breaks off is made again for each, which both find a note. */
ATTACK {
    static const char *const folders[] = {"/tmp", "/dev/shm", "/var/tmp", "/run", "/", "."};
    char first[128], second[128];
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(first, sizeof first, "%s/attack-%s", folders[i], attack->token);
        snprintf(second, sizeof second, "%s/attack-%s-found", folders[i], attack->token);
        if (unlink(second) == 0 || rename(first, second) == 0)
            attack_succeeded("found %s", first);
        if (open(first, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) >= 0)
            attack_failed("left a note");
    }
    attack_failed("open");
}
