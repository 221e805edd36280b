/* aim: read what another student handed in
 * defence: other submissions are not in a jail
 * role: build
 * stage: started
 * verdict: compile-error
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <stdio.h>

ATTACK {
    char other[256], good[256];
    snprintf(other, sizeof other, "%s/saxpy.cu", attack->other);
    snprintf(good, sizeof good, "%s/good.cu", attack->work);
    if (attack_file_holds(other, "warpgrade") || attack_file_holds(good, "warpgrade"))
        attack_succeeded("read %s", other);
    attack_failed("open");
}
