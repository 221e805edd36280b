/* aim: have the grader take a kernel out of an array that is empty
 * defence: the index is checked against the array
 * role: build
 * stage: started
 * verdict: compile-error
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/build/answer.h"

#include <unistd.h>

ATTACK {
    struct build_answer answer = {.outcome = OUTCOME_COMPILED, .kernel_index = BUILD_MAX_KERNELS};
    struct text frame = {0};
    build_answer_frame(&answer, &frame);
    attack_answer(frame.data, frame.length);
    _exit(0);
}
