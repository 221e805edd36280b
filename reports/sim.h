/* What `warpgrade sim` prints: the JSON of sim.schema.json and its form for a terminal. Pure
 * functions. */
#ifndef WARPGRADE_REPORTS_SIM_H
#define WARPGRADE_REPORTS_SIM_H

#include "sandbox/base/device.h"
#include "sandbox/base/language.h"
#include "sandbox/base/launch.h"
#include "sandbox/base/protection.h"
#include "sandbox/base/text.h"

/* What other schedules of the same launch gave. */
struct sim_schedules {
    unsigned run;       /* all of them, the natural order included; 0 or 1: no other */
    unsigned differing; /* those whose buffers differ from the first one's */
    /* Where differing is not 0: the first of them, and its first element that differs. */
    unsigned first;     /* its number; 0 is the natural order */
    size_t argument;    /* from 0 */
    const char *buffer; /* the argument's name */
    uint64_t index;
    double natural, other;
};

/* What the optimiser has taken from the checks of a launch without a hazard. */
enum { SIM_OPTIMISED_LINES = 16 };
struct sim_optimised {
    size_t hidden; /* hazards of severity error that only the unoptimised build has */
    bool all;      /* nothing of the kernel is left */
    unsigned lines[SIM_OPTIMISED_LINES]; /* that lost their stores or loops; rising */
    size_t line_count;
};

struct sim_report {
    const struct engine_result *result; /* of the natural order, the others' hazards joined */
    const char *kernel;
    unsigned registers_per_thread;       /* 0: unknown, then the occupancy is, too */
    double theoretical_occupancy;        /* 0 .. 1 */
    const struct device_profile *device; /* whose caches were simulated; NULL: none */
    const char *file;                    /* the kernel's */
    const char *source;                  /* for excerpts; may be NULL */
    size_t source_length;
    struct sim_schedules schedules;
    struct sim_optimised optimised;
    struct protection protection;
    enum language language; /* of the text; the JSON is the same in all */
};

/* Appends the JSON that reports/sim.schema.json describes. */
void report_sim_json(const struct sim_report *report, struct text *out);
/* Device printf, hazards with excerpts, what other schedules gave, counters, speed. */
void report_sim_text(const struct sim_report *report, bool color, struct text *out);
/* "clean", "warnings" where no hazard is an error, "hazards", or "error". */
const char *report_sim_status(const struct engine_result *result);

#endif
