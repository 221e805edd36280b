/* aim: stop the whole run by saying that the machine's compiler is broken
 * defence: one submission's failure is its own: the others are graded
 * role: build
 * stage: started
 * verdict: compile-error
 * says: the compiler gave up on
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/build/answer.h"

#include <stdio.h>
#include <unistd.h>

ATTACK {
    struct build_answer answer = {.outcome = OUTCOME_TOOL_FAILED};
    snprintf(answer.trouble, sizeof answer.trouble, "disk full\n::error::forged\x1b[2J");
    snprintf(answer.compiler, sizeof answer.compiler, "NVRTC 99");
    struct text frame = {0};
    build_answer_frame(&answer, &frame);
    attack_answer(frame.data, frame.length);
    _exit(0);
}
