/* aim: write a file somewhere: the root, /dev, /tmp, the libraries, the grader's folders
 * defence: everything the jail shows is read-only
 * role: build
 * stage: started
 * verdict: compile-error
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

ATTACK {
    const char *folders[] = {"/",        "/dev",       "/tmp",        "/run",        "/var/tmp",
                             "/usr/lib", "/libraries", "/etc",        "/proc",       ".",
                             "..",       attack->work, attack->other, attack->source};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[640];
        snprintf(path, sizeof path, "%s/attack-%s", folders[i], attack->token);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file >= 0 || symlink("/etc", path) == 0) {
            unlink(path);
            attack_succeeded("wrote to %s", folders[i]);
        }
        if (mkdir(path, 0700) == 0) {
            rmdir(path);
            attack_succeeded("made a folder in %s", folders[i]);
        }
    }
    attack_failed("open");
}
