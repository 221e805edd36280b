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

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Two cases, one after the other: whichever is second finds the note. */
ATTACK {
    static const char *const folders[] = {"/tmp", "/dev/shm", "/var/tmp", "/run", "/", "."};
    char path[128];
    bool left = false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/attack-%s", folders[i], attack->token);
        int note = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        left = left || note >= 0;
        if (note < 0 && errno == EEXIST && unlink(path) == 0)
            attack_succeeded("found %s", path);
        if (left)
            return;
    }
    attack_failed("open");
}
