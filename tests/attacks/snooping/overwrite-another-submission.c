/* aim: change what another student handed in, or a report
 * defence: the grader's folders are not in a jail
 * role: build
 * stage: started
 * verdict: compile-error
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <fcntl.h>
#include <stdio.h>

/* Opening for writing is enough of a proof; nothing is written. */
ATTACK {
    char path[256];
    snprintf(path, sizeof path, "%s/good.cu", attack->work);
    if (open(path, O_RDWR | O_CLOEXEC) >= 0)
        attack_succeeded("could write to %s", path);
    attack_failed("open");
}
