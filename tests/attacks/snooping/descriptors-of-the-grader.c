/* aim: use a file that the grader has left open
 * defence: every descriptor but those of the worker is closed before it starts
 * role: build
 * verdict: compile-error
 * says: code 43
 * bare: no nothing is inherited without the jail either */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>

/* 0 to 2 are the worker's, 3 would be its data; the jail's own are gone once it is sealed. */
ATTACK {
    for (int descriptor = 4; descriptor < 65536; descriptor++)
        if (fcntl(descriptor, F_GETFD) >= 0)
            attack_succeeded("has descriptor %d", descriptor);
    attack_failed("fcntl");
}
