/* aim: have the simulator read what no compiler writes
 * defence: PTX is parsed as hostile, in a jail of its own
 * role: build
 * stage: started
 * exit: 1
 * verdict: compile-error
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/build/answer.h"

#include <unistd.h>

ATTACK {
    char *parameters[] = {"int", "float", "const float *", "float *"};
    struct build_kernel kernel = {.name = "saxpy",
                                  .lowered = "saxpy",
                                  .parameters = parameters,
                                  .parameter_count = 4,
                                  .types_known = true};
    struct build_answer answer = {
        .outcome = OUTCOME_COMPILED, .kernels = &kernel, .kernel_count = 1};
    static const char ptx[] =
        ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry saxpy(\n"
        ".param .u32 a, .param .f32 b, .param .u64 c, .param .u64 d)\n{ .reg .b32 "
        "%r<4294967295>; bra $nowhere; }}}}{{{{\xff";
    struct text frame = {0};
    text_append_bytes(&answer.output, ptx, sizeof ptx);
    build_answer_frame(&answer, &frame);
    attack_answer(frame.data, frame.length);
    _exit(0);
}
