/* What the simulated caches count beside Nsight Compute's figures. See caches.c. */
#ifndef WARPGRADE_TESTS_GPU_CACHES_H
#define WARPGRADE_TESTS_GPU_CACHES_H

#include "launches.h"

#include <jansson.h>

enum { CACHE_QUANTITIES = 4, CACHE_MAX_LAUNCHES = 1024 };

struct cache_comparison {
    struct cache_difference {
        double size;   /* of the difference: per cent, or points of a rate */
        char name[64]; /* family/variant */
    } found[CACHE_QUANTITIES][CACHE_MAX_LAUNCHES];
    size_t count[CACHE_QUANTITIES];
};

/* Compares one launch; `names` are the metrics of the row's counters. Prints each pair where
 * `prints`. */
void cache_compare(struct cache_comparison *comparison, const struct gpu_launch *launch,
                   const struct counters *ours, const json_t *names, const json_t *row,
                   bool prints);
/* Prints median, 80th percentile and worst of each quantity; false where a median is over its
 * bound. */
bool cache_conclude(struct cache_comparison *comparison);

#endif
