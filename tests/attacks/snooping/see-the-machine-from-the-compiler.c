/* aim: look around on the machine
 * defence: the compiler's file system holds the worker, its libraries and the CUDA headers
 * role: build
 * stage: started
 * verdict: compile-error
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>

/* A folder on the way to the CUDA headers is the jail's own, on its root's device, and empty. */
static int is_of_the_jail(int opened) {
    struct stat root, info;
    return stat("/", &root) == 0 && fstat(opened, &info) == 0 && S_ISDIR(info.st_mode) &&
           info.st_dev == root.st_dev;
}

ATTACK {
    static const char *const paths[] = {
        "/etc/passwd", "/etc/hostname",     "/etc/ssl", "/root", "/home",   "/var",        "/boot",
        "/sys/class",  "/proc/self/status", "/tmp",     "/run",  "/bin/sh", "/usr/bin/env"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        int opened = open(paths[i], O_RDONLY | O_CLOEXEC);
        if (opened >= 0 && !is_of_the_jail(opened))
            attack_succeeded("opened %s", paths[i]);
    }
    attack_failed("open");
}
