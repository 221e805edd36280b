/* Blocks that have more registers than a block can have.
 *
 * The simulated GPU needs no registers: the count is ptxas's, which works beside the cases. Kernels
 * with blocks of at most 256 threads always fit, for no thread has more than 255. Without ptxas the
 * number is unknown, and nothing is judged. */
#include "grader/grade/grade_private.h"

#include "grader/judge/judge.h"
#include "reports/message.h"
#include "sandbox/base/occupancy.h"

#include <stdio.h>

enum { ALWAYS_FIT = 256 }; /* threads */

/* Threads of a case's block; 0 where it did not pass or cannot be launched. */
static uint64_t threads_of(const struct grade_run *run, const struct report_case *the_case,
                           size_t index) {
    struct plan_launch launch;
    if (the_case->verdict != VERDICT_PASS || grade_bind(run, index, &launch, NULL) != STATUS_OK)
        return 0;
    uint64_t threads = (uint64_t)launch.block.x * launch.block.y * launch.block.z;
    plan_launch_free(&launch);
    return threads;
}

static void judge_registers(const struct grade_run *run, uint64_t threads, unsigned registers,
                            struct report_case *the_case) {
    char message[256];
    snprintf(message, sizeof message, WORDS(run->session->options.language, too_many_registers),
             threads, registers, OCCUPANCY_BLOCK_REGISTERS);
    judge_reset(the_case);
    judge_unlaunched(run->exercise, run->session->options.language, VERDICT_HAZARD, message, true,
                     the_case);
    the_case->hazards[0].fix = FIX_REGISTERS;
}

enum status grade_fit(const struct grade_run *run, const struct grade_source *source,
                      struct report_case *cases, size_t count, struct error *error) {
    struct grade_assembly assembly = {0};
    bool asked = false;
    for (size_t i = 0; i < count; i++) {
        uint64_t threads = threads_of(run, &cases[i], i);
        if (threads <= ALWAYS_FIT)
            continue;
        struct device_profile device;
        enum status status = STATUS_OK;
        if (!asked)
            status = grade_device_of(run->session, run->exercise, &device, error);
        if (!asked && status == STATUS_OK)
            status = grade_speed_registers(run, source, &device, &assembly, error);
        asked = true;
        if (status != STATUS_OK)
            return status;
        if (occupancy_block_registers(threads, assembly.registers) > OCCUPANCY_BLOCK_REGISTERS)
            judge_registers(run, threads, assembly.registers, &cases[i]);
    }
    return STATUS_OK;
}
