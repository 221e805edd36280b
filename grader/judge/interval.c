/* Order statistics as bounds of a median.
 *
 * Of n independent samples of one distribution, the number below its median is binomial with
 * p = 1/2. The k-th smallest sample is above the median exactly if fewer than k lie below it, so
 * that [x(k), x(n + 1 - k)] misses the median with probability 2 P(B < k) (H. A. David and
 * H. N. Nagaraja, "Order Statistics", 3rd ed., section 7.1). The largest k for which that is at
 * most 5 % is taken. Times of launches have a long tail to one side and now and then an outlier:
 * what assumes a normal distribution would be wrong here, and a mean would follow the outlier.
 *
 * No sample is thrown away for being large: what a machine does to one kernel it does to the others
 * of the same round, and quotients within a round take it out. */
#include "grader/judge/interval.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tail = 0.025; /* what may be missed on each side */

static int compare_doubles(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The largest k with P(B < k) <= tail, B binomial(n, 1/2); 0 where there is none. Terms are formed
 * from their logarithms: 2^-n is no double for n > 1074. */
static size_t bound_rank(size_t n) {
    double below = 0;
    for (size_t k = 0; k <= n / 2; k++) {
        double choose = lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);
        below += exp(choose - (double)n * log(2));
        if (below > tail)
            return k;
    }
    return n / 2;
}

static struct interval interval_of_sorted(const double *sorted, size_t n) {
    if (!n)
        return (struct interval){0};
    size_t rank = bound_rank(n);
    size_t low = rank ? rank - 1 : 0;
    return (struct interval){.count = n,
                             .median =
                                 n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]),
                             .bounded = rank != 0,
                             .low = sorted[low],
                             .high = sorted[n - 1 - low]};
}

struct interval interval_of(const double *samples, size_t count) {
    cleanup_free double *kept = mem_calloc(count + 1, sizeof *kept);
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(samples[i]))
            kept[n++] = samples[i];
    qsort(kept, n, sizeof *kept, compare_doubles);
    return interval_of_sorted(kept, n);
}

struct interval interval_of_ratio(const double *numerators, const double *denominators,
                                  size_t count) {
    cleanup_free double *ratios = mem_calloc(count + 1, sizeof *ratios);
    for (size_t i = 0; i < count; i++)
        ratios[i] = denominators[i] > 0 ? numerators[i] / denominators[i] : NAN;
    return interval_of(ratios, count);
}

double interval_width(const struct interval *interval) {
    if (!interval->bounded || !(interval->median > 0))
        return INFINITY;
    return (interval->high - interval->low) / interval->median;
}
