/* Inside the judge's flow: one kernel of the speed case on the simulated device. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_DEVICE_H
#define WARPGRADE_GRADER_GRADE_GRADE_DEVICE_H

#include "grader/grade/grade_private.h"

/* At which sizes the device runs it. */
enum grade_scale {
    SCALE_CARD, /* those that a card is measured at: blocks of a sample, buffers made on demand */
    SCALE_CASE, /* those of the speed case, with its data */
    SCALE_COUNT
};

/* Whether SCALE_CARD is another launch than SCALE_CASE, and sampled. */
bool grade_has_large(const struct exercise *exercise);

/* A launch at SCALE_CARD; only `known` is set where nothing is known of it. */
struct grade_large {
    bool known;
    struct engine_result result; /* to be freed where known */
    struct dim3 grid, block;
    uint64_t shared_bytes;
};

/* What a sample of blocks says at SCALE_CARD. Nothing is known where the launch cannot be made or
 * is no sample, has a hazard, takes too long, or the sample is too uncertain. `device` says what it
 * runs on and how large the sample is; its budget is chosen here. */
enum status grade_device_large(const struct grade_run *run, const struct grade_device *device,
                               struct grade_large *large, struct error *error);

/* The exercise's speed_size_count sizes of the launch, from which bounds follow. */
const struct exercise_size *grade_scale_sizes(const struct exercise *exercise,
                                              enum grade_scale scale);

#endif
