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

/* The speed case at SCALE_CARD, its buffers as rules. */
struct grade_modelled {
    struct exercise exercise; /* as if those sizes were the case's; owns nothing */
    struct plan *plan;
    bool bound;
    struct plan_launch launch; /* the submission's, where bound */
};
enum { GRADE_MODELLED_ELEMENTS = 512 }; /* of what a sample of blocks wrote, at most */
#define GRADE_MODELLED_MEMORY_BYTES                                                                \
    ((uint64_t)16 << 30) /* addresses; pages are taken as they are touched */
/* To be closed where this is STATUS_OK; not bound where no launch can be made. */
enum status grade_modelled_open(const struct grade_run *run, struct grade_modelled *modelled,
                                struct error *error);
void grade_modelled_close(struct grade_modelled *modelled);
/* Bytes of the buffers that have no rule; caller frees. */
void *grade_modelled_fill(const struct plan *plan, enum plan_side side,
                          const struct plan_launch *launch);

/* A launch at SCALE_CARD; only `known` is set where nothing is known of it. */
struct grade_large {
    bool known;
    struct engine_result result; /* to be freed where known; with elements of the results */
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
