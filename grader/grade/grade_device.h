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

/* Whether a launch with these whole results can be asked for at SCALE_CARD at all: it is another
 * size than the case's, and no block can be missed by the others. */
bool grade_scale_is_possible(const struct exercise *exercise, const struct engine_result *whole);

/* What a sample of blocks says at SCALE_CARD; nothing is said of it (*known) where the launch cannot
 * be made or is no sample, has a hazard, takes too long, or the sample is too uncertain. `device`
 * says what it runs on; its budget and sample are chosen here. The result is to be freed where
 * *known. */
enum status grade_device_large(const struct grade_run *run, const struct grade_device *device,
                               struct engine_result *result, bool *known, struct error *error);

/* How far off the modelled time may be by the blocks that were drawn, as a share. What device
 * memory moves counts as far as the time rests on it: a table that is read once and then found in
 * the L2 is hard to estimate and matters little. */
double grade_time_error(const struct launch_profile *profile);

/* The exercise's speed_size_count sizes of the launch, from which bounds follow. */
const struct exercise_size *grade_scale_sizes(const struct exercise *exercise,
                                              enum grade_scale scale);

#endif
