/* aim: use up the file system's files
 * defence: the scratch folder is a tmpfs; the supervisor counts its files
 * role: tools
 * submission: host
 * needs: nvcc
 * within: 20
 * verdict: compile-error
 * bare: no it would leave a million files on the disk */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

ATTACK {
    enum { MOST = 1000000 };
    char name[32];
    for (int i = 0; i < MOST; i++) {
        snprintf(name, sizeof name, "%d", i);
        int file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0)
            attack_failed("open");
        close(file);
    }
    attack_succeeded("made %d files", MOST);
}
