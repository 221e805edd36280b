/* Does a kernel do its work at the sizes at which times are modelled? What its sampled blocks count
 * and write there is held against what all of its blocks did at the sizes of the case, and against
 * the tuned kernel. Kernels share their work in different ways: what is missing here is a reason to
 * look closer or to rate another launch, and no mistake yet. */
#include "grader/grade/grade_work.h"

/* A kernel that leaves out work where it sees the large sizes shows here: its work grows as the
 * tuned kernel's does, or faster. What both need at any size makes it grow more slowly. */
#define LEAST_GROWTH 0.5

static double growth(uint64_t large, uint64_t whole) {
    return whole ? (double)large / (double)whole : 0;
}

bool grade_work_grows(const struct counters *large, const struct counters *whole,
                      const struct counters *tuned_large, const struct counters *tuned_whole) {
    double threads = growth(large->thread_instructions, whole->thread_instructions);
    double warps = growth(large->warp_instructions, whole->warp_instructions);
    double sectors = growth(large->global_load_sectors + large->global_store_sectors,
                            whole->global_load_sectors + whole->global_store_sectors);
    double least =
        LEAST_GROWTH * growth(tuned_large->thread_instructions, tuned_whole->thread_instructions);
    double least_sectors =
        LEAST_GROWTH * growth(tuned_large->global_load_sectors + tuned_large->global_store_sectors,
                              tuned_whole->global_load_sectors + tuned_whole->global_store_sectors);
    return threads >= least && warps >= least && sectors >= least_sectors;
}

/* A kernel that leaves out elements only there shows here: its blocks write as many as the tuned
 * kernel's. Of one with atomics on global memory it is not known. */
#define LEAST_WRITTEN 0.8

static double written_by_all(const struct engine_result *result) {
    const struct launch_profile *profile = &result->profile;
    return result->written_elements * (double)profile->blocks / (double)profile->blocks_simulated;
}

bool grade_work_covers(const struct engine_result *large, const struct engine_result *tuned) {
    if (!tuned->element_count)
        return true;
    return large->element_count && written_by_all(large) >= LEAST_WRITTEN * written_by_all(tuned);
}
