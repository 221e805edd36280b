/* From counters to sentences: what bounds a launch, which line wastes it, what to do. Pure.
 *
 * Sentences are ours but for numbers and line numbers; they need no escaping. */
#ifndef WARPGRADE_REPORTS_ADVICE_H
#define WARPGRADE_REPORTS_ADVICE_H

#include "sandbox/base/language.h"
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
    /* only where they are what limits: */
    WASTE_ALIGNMENT,  /* a sector more for each request, because warps begin inside of one */
    WASTE_CONTENTION, /* atomics of many warps on one address */
    WASTE_DOUBLE,     /* double precision, and conversions to and from it */
    WASTE_DIVISION,   /* integer division */
    WASTE_MATRIX,     /* no tensor cores, where the tuned kernel has them */
    WASTE_STARTS,     /* blocks that start slower than they work */
    WASTE_COUNT
};

/* The worst waste of these counters, of all kinds or of those that `metric` is about (the name of a
 * metric or counter, or an expression of them; NULL: all). WASTE_COUNT: nothing worth a word. */
enum waste advice_waste(const struct counters *counters, const char *metric);
/* ... of those that make this part of the time longer: others are not the cause. */
enum waste advice_limited_waste(const struct counters *counters, enum cost_part limiter);
/* "double precision" or "integer division", where these take the unit of the special functions;
 * NULL: special functions do. */
const char *advice_special_use(const struct counters *counters);
/* "reads 32 sectors per request, 4 would be enough": the predicate of a sentence about a line. */
void advice_append(enum waste waste, const struct counters *counters, enum language language,
                   struct text *out);
/* "Let neighbouring threads read neighbouring elements ..."; what a student can do about it. */
const char *advice_fix(enum waste waste, enum language language);
/* A threshold's hint is one of these, and not the exercise's own. */
bool advice_is_generic(const char *hint, enum language language);
/* The page of `warpgrade explain` about it. */
const char *advice_page(enum waste waste);

/* The line of `file` to mend first: the one that asks most of the limiting unit or, where no unit
 * is busy, takes most of the modelled time. NULL where there is none. */
const struct line_counters *advice_costliest(const struct line_counters *lines, size_t count,
                                             enum cost_part limiter, const char *file);

/* What to mend: the line (NULL: none is the cause) and its waste, or WASTE_COUNT. */
struct advice {
    const struct line_counters *line;
    enum waste waste;
};
struct advice advice_find(const struct engine_result *result, const struct device_profile *device,
                          const char *file);

/* Appends the name of a part of the time, by what takes it in this launch. */
void advice_part_label(const struct engine_result *result, enum cost_part part, const char *file,
                       enum language language, struct text *out);

/* What a launch is bound by: "DRAM-bound: 92 % of the modelled time; line 14 reads 32 sectors a
 * request, 4 would be enough". */
void advice_limiter(const struct engine_result *result, const struct device_profile *device,
                    const char *file, enum language language, struct text *out);

#endif
