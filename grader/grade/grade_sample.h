/* Samples of blocks that grow where they are too uncertain. See grade_sample.c. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_SAMPLE_H
#define WARPGRADE_GRADER_GRADE_GRADE_SAMPLE_H

#include "sandbox/engine/engine.h"

/* How far a sample may grow. All zero: it does not. */
struct grade_growth {
    uint64_t sample;    /* thread instructions to ask for at the most ... */
    uint64_t budget;    /* ... and to execute, where blocks cost more than was expected */
    double most_error;  /* a share: where a larger sample would still have more than that, the first
                           one stays; 0: it grows all the same */
    bool for_its_bytes; /* also where the time does not rest on the bytes of DRAM */
};

/* Of a profile, which shows all figures: its sample, and what its launch may execute, 0 for the
 * engine's limit. */
struct grade_growth grade_profile_growth(uint64_t sample, uint64_t budget);

/* engine_run() of a launch on a simulated device, and again with a larger sample while the standard
 * error of its modelled time is more than PROFILE_CERTAIN. What it comes to depends on no clock. */
enum status grade_run_sampled(const struct engine_launch *request,
                              const struct worker_limits *limits, struct grade_growth growth,
                              struct engine_result *result, struct error *error);

#endif
