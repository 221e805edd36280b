/* What `warpgrade profile` prints: a launch on a device, line by line. Pure functions. */
#ifndef WARPGRADE_REPORTS_PROFILE_H
#define WARPGRADE_REPORTS_PROFILE_H

#include "reports/report.h"
#include "sandbox/base/device.h"
#include "sandbox/base/launch.h"
#include "sandbox/base/text.h"

struct profile_report {
    const struct engine_result *result; /* of a launch with a device, that completed */
    const struct device_profile *device;
    const char *kernel;
    const char *file;   /* as the user named it */
    const char *source; /* for the listing; may be NULL */
    size_t source_length;
    struct dim3 grid, block;
    uint64_t shared_bytes;         /* dynamic */
    unsigned registers;            /* a thread; 0: unknown, and then the occupancy is, too */
    const char *registers_problem; /* why they are unknown; NULL where they are known */
    const char *exercise;          /* NULL: a kernel by itself */
    bool wants_matrix;             /* ... which has a threshold of what tensor cores do */
    const char *case_name;
    const struct report_size *sizes;
    size_t size_count;
    struct protection protection;
    enum language language; /* of the text; the JSON is the same in all */
};

/* The roof above a launch (Williams, Waterman and Patterson, Roofline, CACM 52(4), 2009): the
 * arithmetic peak of the precision it computes in, and DRAM bandwidth times arithmetic intensity.
 */
struct profile_roofline {
    bool known;            /* false: no modelled time, or neither flops nor DRAM traffic */
    const char *precision; /* "FP32" */
    double intensity;      /* flops a byte of DRAM; infinite where no byte moves */
    double ridge;          /* the intensity at which both roofs meet */
    double peak_gflops, peak_gbps;
    double gflops, gbps; /* in the modelled time */
    bool memory_bound;   /* left of the ridge */
    double fraction;     /* of the lower roof, 0 .. 1 and, where the model is generous, above */
};
struct profile_roofline profile_roofline(const struct profile_report *report);
/* The same of any launch with counters of a device that takes `ms`. */
struct profile_roofline profile_roofline_of(const struct counters *counters, double ms,
                                            const struct device_profile *device);

/* The exercise is about tensor cores, and no line uses them. */
bool profile_lacks_matrix(const struct profile_report *report);
/* What the launch is bound by: the sentence of advice_limiter(), and tensor cores that are idle. */
void profile_append_limiter(const struct profile_report *report, enum language language,
                            struct text *out);

/* Appends the JSON that reports/profile.schema.json describes. */
void report_profile_json(const struct profile_report *report, struct text *out);
void report_profile_text(const struct profile_report *report, bool color, unsigned width,
                         struct text *out);

#endif
