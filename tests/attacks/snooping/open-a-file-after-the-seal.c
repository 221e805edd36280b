/* aim: open any file at all in the sealed simulator
 * defence: system calls: open is forbidden once the simulator is sealed; Landlock
 * role: sim
 * verdict: internal-error
 * exit: 3
 * says: forbidden system call|code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>
#include <stddef.h>

ATTACK {
    static const char *const paths[] = {"/worker", "/", "/etc/passwd"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (open(paths[i], O_RDONLY | O_CLOEXEC) >= 0)
            attack_succeeded("opened %s", paths[i]);
    attack_failed("open");
}
