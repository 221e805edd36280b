/* What sim asks an unoptimised build (-G) of the kernel that it has launched. Private to the
 * room. */
#ifndef WARPGRADE_GRADER_CLI_SIM_UNOPTIMISED_H
#define WARPGRADE_GRADER_CLI_SIM_UNOPTIMISED_H

#include "grader/cli/kernel_launch.h"
#include "reports/sim.h"

/* `before`: the launch's data as they were before it, result: what the launch gave, with checks and
 * without a device. Adds accesses that run off a local variable to the result, and says in
 * *optimised what the optimiser has taken from the checks. Where there is no such build, or it does
 * not end, both stay as they are. */
void sim_unoptimised_ask(const struct kernel_launch *launch, const void *before,
                         struct engine_result *result, struct sim_optimised *optimised);

#endif
