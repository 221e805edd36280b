/* Medians with their uncertainty, without any assumption about how the samples scatter. Pure. */
#ifndef WARPGRADE_GRADER_JUDGE_INTERVAL_H
#define WARPGRADE_GRADER_JUDGE_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

struct interval {
    size_t count;     /* samples; 0: nothing is known, and all else is 0 */
    double median;    /* of an even number: the mean of the middle two */
    bool bounded;     /* there are enough samples, six, for an interval that holds 95 % */
    double low, high; /* not bounded: the least and the greatest sample */
};

/* The median of the samples and the narrowest symmetric pair of order statistics that holds the
 * distribution's median with at least 95 %. Samples that are not finite are left out. */
struct interval interval_of(const double *samples, size_t count);
/* The same for the quotients of paired samples. Pairs that have none (a denominator that is not
 * above 0) are left out. */
struct interval interval_of_ratio(const double *numerators, const double *denominators,
                                  size_t count);
/* (high - low) / median; infinite where nothing is known. */
double interval_width(const struct interval *interval);

#endif
