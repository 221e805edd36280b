/* From counters to sentences: what bounds a launch, which line wastes it, what to do. Pure.
 *
 * Sentences are ours but for numbers and line numbers; they need no escaping. */
#ifndef WARPGRADE_REPORTS_ADVICE_H
#define WARPGRADE_REPORTS_ADVICE_H

#include "sandbox/base/launch.h"
#include "sandbox/base/text.h"

/* The ways in which a line wastes what the hardware can do. */
enum waste {
    WASTE_LOADS,          /* sectors of global loads beyond those that would be enough */
    WASTE_STORES,         /* the same for stores */
    WASTE_CONFLICTS,      /* bank conflicts of shared memory */
    WASTE_GLOBAL_ATOMICS, /* lanes of a warp that wait for each other at one address */
    WASTE_SHARED_ATOMICS,
    WASTE_LOCAL,    /* spills and local arrays */
    WASTE_CONSTANT, /* different addresses in one constant load */
    WASTE_LANES,    /* lanes that are switched off */
    WASTE_COUNT
};

/* The worst waste of these counters, of all kinds or of those that `metric` is about (the name of a
 * metric or counter, or an expression of them; NULL: all). WASTE_COUNT: nothing worth a word. */
enum waste advice_waste(const struct counters *counters, const char *metric);
/* "reads 32 sectors a request, 4 would be enough": the predicate of a sentence about a line. */
void advice_append(enum waste waste, const struct counters *counters, struct text *out);
/* "Let neighbouring threads read neighbouring elements ..."; what a student can do about it. */
const char *advice_fix(enum waste waste);
/* The page of `warpgrade explain` about it. */
const char *advice_page(enum waste waste);

/* The line of `file` to mend first: the one that asks most of the limiting unit or, where no unit
 * is busy, takes most of the modelled time. NULL where there is none. */
const struct line_counters *advice_costliest(const struct line_counters *lines, size_t count,
                                             enum cost_part limiter, const char *file);

/* What a launch is bound by: "DRAM-bound: 92 % of the modelled time; line 14 reads 32 sectors a
 * request, 4 would be enough". Returns the line it is about, NULL where it is about none. */
const struct line_counters *advice_limiter(const struct engine_result *result,
                                           const struct device_profile *device, const char *file,
                                           struct text *out);

#endif
