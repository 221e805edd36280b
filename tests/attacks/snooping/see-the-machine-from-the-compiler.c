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

ATTACK {
    static const char *const paths[] = {
        "/etc/passwd", "/etc/hostname",     "/etc/ssl", "/root", "/home",   "/var",        "/boot",
        "/sys/class",  "/proc/self/status", "/tmp",     "/run",  "/bin/sh", "/usr/bin/env"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (open(paths[i], O_RDONLY | O_CLOEXEC) >= 0)
            attack_succeeded("opened %s", paths[i]);
    attack_failed("open");
}
