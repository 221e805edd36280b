/* aim: fill /dev/shm, which is the machine's memory
 * defence: the jail's /dev is read-only and holds nothing
 * role: build
 * stage: started
 * verdict: compile-error
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

ATTACK {
    char path[128];
    snprintf(path, sizeof path, "/dev/shm/attack-%s", attack->token);
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) {
        unlink(path);
        attack_succeeded("wrote to /dev/shm");
    }
    attack_failed("open");
}
