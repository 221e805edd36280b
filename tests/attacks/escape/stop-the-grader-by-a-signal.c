/* aim: kill or stop the grader
 * defence: no process outside can be named: a process namespace
 * role: build
 * verdict: compile-error
 * says: code 43
 * bare: succeeds */
#include "tests/attacks/attacker/attack.h"

#include <signal.h>

/* Signal 0 asks whether it could. */
ATTACK {
    if (kill(attack->harness, 0) == 0)
        attack_succeeded("could signal process %d", (int)attack->harness);
    attack_failed("kill");
}
