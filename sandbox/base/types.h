/* The vocabulary that engines, the judge and the protocol share: element types, hazards, counters,
 * three-dimensional sizes. Every table has one .def file; the enums and names come from it. */
#ifndef WARPGRADE_SANDBOX_BASE_TYPES_H
#define WARPGRADE_SANDBOX_BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t device_address; /* an address of the simulated GPU; never a host pointer */
typedef uint32_t lane_mask;      /* bit i = lane i of a warp */

enum { WARP_LANES = 32 };

enum element_type {
#define ELEMENT(id, bytes, is_float, is_signed, c_name) ELEMENT_##id,
#include "sandbox/base/element.def"
#undef ELEMENT
    ELEMENT_COUNT
};

struct element_info {
    const char *name; /* "f32" */
    unsigned bytes;   /* 1, 2, 4, 8 */
    bool is_float;
    bool is_signed;
    const char *c_name; /* "float" */
};
extern const struct element_info element_infos[ELEMENT_COUNT];
bool element_from_name(const char *name, enum element_type *type);
/* Element `index` of an array as a double (f16 is widened; i64 and u64 round to nearest). */
double element_to_double(enum element_type type, const void *data, size_t index);
/* Stores value converted to the type: floats round to nearest even, integers truncate and wrap. */
void element_from_double(enum element_type type, void *data, size_t index, double value);
/* The unit roundoff: the largest error of one rounding to the type, relative to the value (2^-24
 * for f32); 0 for integers. */
double element_roundoff(enum element_type type);

enum hazard_kind {
#define HAZARD(ID, ...) HAZARD_##ID,
#include "sandbox/base/hazard.def"
#undef HAZARD
    HAZARD_COUNT
};
enum hazard_severity { SEVERITY_ERROR, SEVERITY_WARNING };

enum hazard_counted {
    COUNTED_ACCESSES, /* accesses of memory that are wrong by themselves, one a lane */
    COUNTED_RACES,    /* accesses of memory that nothing orders with another, one a lane */
    COUNTED_LANES,    /* executions of an instruction, one a lane */
    COUNTED_EVENTS,   /* one, however many lanes are involved */
};

struct hazard_info {
    const char *name;
    enum hazard_counted counted;
    const char *lead; /* before a case's message where it ended the kernel; "" for others */
    const char *summary;
};
extern const struct hazard_info hazard_infos[HAZARD_COUNT];

enum hazard_fix {
#define FIX(ID, sentence, chinese) FIX_##ID,
#include "sandbox/base/hazard_fix.def"
#undef FIX
    FIX_COUNT
};
extern const char *const hazard_fixes[FIX_COUNT]; /* NULL: what the hazard's page says */
/* Is it about memory, so that a build without an optimiser can show more of it? */
bool hazard_counts_accesses(enum hazard_kind kind);
bool hazard_from_name(const char *name, enum hazard_kind *kind);

struct counters {
#define COUNTER(id, kind, metric, summary) uint64_t id;
#include "sandbox/base/counter.def"
#undef COUNTER
};
enum {
#define COUNTER(id, kind, metric, summary) COUNTER_INDEX_##id,
#include "sandbox/base/counter.def"
#undef COUNTER
    COUNTER_COUNT
};
struct counter_info {
    const char *name;
    const char *metric;
    const char *summary;
    bool needs_device; /* 0 in a launch without a device profile */
};
extern const struct counter_info counter_infos[COUNTER_COUNT];
/* Counter number i of a struct counters, in the order of counter.def. */
uint64_t *counter_at(struct counters *counters, size_t index);
uint64_t counter_value(const struct counters *counters, size_t index);

/* Figures that follow from the counters: quotients and sums with a name (metric.def). */
enum {
#define METRIC(id, kind, numerator, denominator, empty, unit, summary) METRIC_INDEX_##id,
#include "sandbox/base/metric.def"
#undef METRIC
    METRIC_COUNT
};
struct metric_info {
    const char *name;
    const char *unit; /* "sectors", "bytes", "share" (0..1) ... */
    const char *summary;
    bool needs_device;
};
extern const struct metric_info metric_infos[METRIC_COUNT];
double metric_value(const struct counters *counters, size_t index);
/* The value of a metric or a plain counter by its name; false where there is none of that name. */
bool metric_evaluate(const struct counters *counters, const char *name, double *value);
/* Does the figure of that name need a launch with a device profile? */
bool metric_needs_device(const char *name);

struct dim3 {
    uint32_t x, y, z;
};

#endif
