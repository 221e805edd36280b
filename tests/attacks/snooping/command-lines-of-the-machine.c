/* aim: see what runs on the machine, with its arguments
 * defence: the /proc of a process namespace of its own
 * role: tools
 * submission: host
 * needs: nvcc
 * verdict: compile-error
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <stdio.h>

ATTACK {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)attack->harness);
    if (attack_file_holds(path, "harness"))
        attack_succeeded("read %s", path);
    attack_failed("open");
}
