/* aim: read the reference, the exercise or the mutants from what nvcc starts
 * defence: nothing of exercises/ and reference/ is in a jail, also where the tree stands below
 *     /usr
 * role: tools
 * submission: host
 * needs: nvcc
 * verdict: compile-error
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>

ATTACK {
    static const char *const names[] = {"reference/saxpy/reference.cu",
                                        "exercises/saxpy/exercise.yaml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", attack->source, names[i]);
        if (open(path, O_RDONLY | O_CLOEXEC) >= 0)
            attack_succeeded("opened %s", names[i]);
    }
    attack_failed("open");
}
