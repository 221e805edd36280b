/* Samples of blocks that grow where they are too uncertain.
 *
 * How many blocks a sample needs shows in the sample: its standard error falls with the root of
 * their number. The launch is made again with as many as that says, and twice as many at the least.
 * What it will cost is not known beforehand, for blocks that differ are what makes a sample
 * uncertain: a launch that costs more than it may is stopped, and the smaller sample stays. A
 * sample does not have the blocks of a smaller one: what is known of the smaller one is dropped. */
#include "grader/grade/grade_sample.h"

#include <math.h>

#define LEAST_GROWTH   2
#define MOST_GROWTH    4 /* at a time: the error of a small sample is no good estimate */
#define PROFILE_GROWTH 64
#define PROFILE_BUDGET 32 /* in samples: two or three seconds of work */

struct grade_growth grade_profile_growth(uint64_t sample, uint64_t budget) {
    if (sample >= UINT64_MAX / PROFILE_GROWTH)
        return (struct grade_growth){0};
    uint64_t own = PROFILE_BUDGET * sample;
    return (struct grade_growth){.sample = PROFILE_GROWTH * sample,
                                 .budget = budget && budget < own ? budget : own,
                                 .for_its_bytes = true};
}

static double error_of(const struct launch_profile *profile, const struct grade_growth *growth) {
    double time = profile_time_error(profile);
    return growth->for_its_bytes ? fmax(time, profile->errors[SAMPLED_dram_bytes]) : time;
}

/* How many times as large the next sample is; 0 where none is needed or would help. */
static double growth_of(const struct grade_growth *growth, const struct engine_launch *request,
                        const struct engine_result *result) {
    const struct launch_profile *profile = &result->profile;
    if (result->end != ENGINE_COMPLETED || result->hazard_count || !profile->present ||
        profile->sampling != SAMPLING_sampled)
        return 0;
    double error = error_of(profile, growth), needed = error / PROFILE_CERTAIN;
    double most = fmin(MOST_GROWTH, (double)growth->sample / (double)request->sample_budget);
    double times = fmin(fmax(LEAST_GROWTH, needed * needed), most);
    bool helps = growth->most_error <= 0 || error / sqrt(times) <= growth->most_error;
    return error > PROFILE_CERTAIN && times >= LEAST_GROWTH && helps ? times : 0;
}

static bool has_ended(const struct engine_result *result) {
    for (size_t i = 0; i < result->hazard_count; i++)
        if (result->hazards[i].kind == HAZARD_INSTRUCTION_BUDGET)
            return false;
    return result->end == ENGINE_COMPLETED;
}

enum status grade_run_sampled(const struct engine_launch *request,
                              const struct worker_limits *limits, struct grade_growth growth,
                              struct engine_result *result, struct error *error) {
    struct engine_launch launch = *request;
    enum status status = engine_run(&launch, limits, result, error);
    double times;
    launch.budget = growth.budget;
    while (status == STATUS_OK && (times = growth_of(&growth, &launch, result)) > 0) {
        struct engine_launch larger = launch;
        struct engine_result again;
        larger.sample_budget = (uint64_t)(times * (double)launch.sample_budget);
        if (engine_run(&larger, limits, &again, NULL) != STATUS_OK)
            break;
        if (has_ended(&again)) {
            engine_result_free(result);
            *result = again;
            launch = larger;
        } else {
            engine_result_free(&again);
            growth.sample = larger.sample_budget / LEAST_GROWTH;
        }
    }
    return status;
}
