/* aim: look around on the machine from what nvcc starts
 * defence: of the machine only /usr is there, read-only
 * role: tools
 * submission: host
 * needs: nvcc
 * verdict: compile-error
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>
#include <stddef.h>

ATTACK {
    static const char *const paths[] = {"/etc/passwd", "/etc/shadow", "/root",      "/home",
                                        "/var",        "/boot",       "/sys/class", "/run",
                                        "/proc/1/mem", "/proc/kcore"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (open(paths[i], O_RDONLY | O_CLOEXEC) >= 0)
            attack_succeeded("opened %s", paths[i]);
    attack_failed("open");
}
