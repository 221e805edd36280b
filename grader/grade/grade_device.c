/* The simulated device is a large card, and at the sizes of the speed case, which are chosen so
 * that all blocks can be executed and all results compared, it is not busy: what limits a kernel
 * there is its launch. Times are therefore modelled at the sizes that a card is measured at, from a
 * sample of blocks. Their buffers are rules (grader/cases/rules.h), so that only what those blocks
 * touch is ever made. Whether it is right there, too, is for grade_sampled.c.
 *
 * A sample that is uncertain is made once more, and larger. None can be had of blocks that wait for
 * each other, and it is not believed where it stays too uncertain or takes too long: then the
 * launch at the case's own sizes is what counts. */
#include "grader/grade/grade_device.h"

#include "grader/cases/rules.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>

/* As shares: the standard error of a sample that is still believed. */
#define MAX_STDERR           0.1
/* Blocks are executed whole; a launch whose blocks take this many samples has none that helps. */
#define LARGE_BUDGET_SAMPLES 64
/* A sample that is uncertain: the grade has no time for more. */
#define LARGE_GROWTH         4
#define LARGE_GROWTH_BUDGET  6 /* in samples */

bool grade_has_large(const struct exercise *exercise) {
    for (size_t i = 0; i < exercise->speed_size_count; i++)
        if (exercise->modelled_sizes[i].value != exercise->speed_sizes[i].value)
            return exercise->speed_sample != 0;
    return false;
}

const struct exercise_size *grade_scale_sizes(const struct exercise *exercise,
                                              enum grade_scale scale) {
    return scale == SCALE_CARD ? exercise->modelled_sizes : exercise->speed_sizes;
}

void *grade_modelled_fill(const struct plan *plan, enum plan_side side,
                          const struct plan_launch *launch) {
    char *data = mem_zalloc(launch->data_length + 1);
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct engine_argument *buffer = &launch->arguments[i];
        if (buffer->is_buffer && buffer->fill.kind == ENGINE_FILL_DATA)
            plan_fill_buffer(plan, 0, side, launch, i, data + buffer->data_offset);
    }
    return data;
}

enum status grade_modelled_open(const struct grade_run *run, struct grade_modelled *modelled,
                                struct error *error) {
    struct plan_launch *launch = &modelled->launch;
    *modelled = (struct grade_modelled){.exercise = *run->exercise};
    modelled->exercise.speed_sizes = modelled->exercise.modelled_sizes;
    enum status status = plan_make(&modelled->exercise, run->session->seed,
                                   case_group_names[GROUP_SPEED], &modelled->plan, error);
    if (status != STATUS_OK)
        return status;
    modelled->bound = plan_bind(modelled->plan, 0, &run->exercise->launch, PLAN_SUBMISSION,
                                run->kernel->constants, run->kernel->constant_count,
                                GRADE_MODELLED_MEMORY_BYTES, launch, NULL) == STATUS_OK;
    if (modelled->bound)
        plan_use_rules(modelled->plan, PLAN_RULES_ON_DEMAND, launch);
    return STATUS_OK;
}

void grade_modelled_close(struct grade_modelled *modelled) {
    plan_launch_free(&modelled->launch);
    plan_free(modelled->plan);
}

static bool is_believed(const struct engine_result *result) {
    const struct launch_profile *profile = &result->profile;
    return result->end == ENGINE_COMPLETED && !result->hazard_count && profile->present &&
           profile->sampling != SAMPLING_dependent && profile->occupancy.blocks_per_sm &&
           profile_time_error(profile) <= MAX_STDERR;
}

static enum status launch_large(const struct grade_run *run, const struct grade_modelled *modelled,
                                const struct grade_device *device, struct grade_large *large,
                                struct error *error) {
    const struct plan_launch *launch = &modelled->launch;
    cleanup_free void *data = grade_modelled_fill(modelled->plan, PLAN_SUBMISSION, launch);
    enum status status = grade_profile(run, launch, device, data, &large->result, error);
    large->known = status == STATUS_OK && is_believed(&large->result);
    if (status == STATUS_OK && !large->known)
        engine_result_free(&large->result);
    large->grid = launch->grid;
    large->block = launch->block;
    large->shared_bytes = launch->shared_bytes;
    return status;
}

enum status grade_device_large(const struct grade_run *run, const struct grade_device *device,
                               struct grade_large *large, struct error *error) {
    struct grade_device sampled = *device;
    struct grade_modelled modelled;
    *large = (struct grade_large){.known = false};
    sampled.budget = LARGE_BUDGET_SAMPLES * sampled.sample_budget;
    sampled.growth = (struct grade_growth){.sample = LARGE_GROWTH * sampled.sample_budget,
                                           .budget = LARGE_GROWTH_BUDGET * sampled.sample_budget,
                                           .most_error = MAX_STDERR};
    sampled.wanted_elements = GRADE_MODELLED_ELEMENTS;
    enum status status = grade_modelled_open(run, &modelled, error);
    if (status != STATUS_OK)
        return status;
    if (modelled.bound)
        status = launch_large(run, &modelled, &sampled, large, error);
    grade_modelled_close(&modelled);
    return status;
}
