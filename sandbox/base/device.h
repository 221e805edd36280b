/* A GPU in numbers, as the cache simulation, the occupancy and the cost model know it, and where
 * each number comes from. Both stand in the profiles in sandbox/devices/. */
#ifndef WARPGRADE_SANDBOX_BASE_DEVICE_H
#define WARPGRADE_SANDBOX_BASE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

enum device_role { DEVICE_SIZE, DEVICE_RATE };

/* Where a number of a profile comes from. */
enum device_origin {
    DEVICE_UNSAID,     /* the profile does not say it: a file of the user's own */
    DEVICE_MEASURED,   /* on that card */
    DEVICE_DOCUMENTED, /* by the maker, or in a publication */
    DEVICE_ASSUMED,
    DEVICE_ORIGIN_COUNT
};
extern const char *const device_origin_names[DEVICE_ORIGIN_COUNT]; /* "measured" */

#define DEVICE_FIELD(name, role, unit, low, high, summary) DEVICE_NUMBER_##name,
enum {
#include "sandbox/base/device.def"
    DEVICE_NUMBER_COUNT
};
#undef DEVICE_FIELD

struct device_profile {
    char id[32];   /* "h200" */
    char name[64]; /* "NVIDIA H200" */
#define DEVICE_FIELD(name, role, unit, low, high, summary) double name;
#include "sandbox/base/device.def"
#undef DEVICE_FIELD
    unsigned char origins[DEVICE_NUMBER_COUNT]; /* enum device_origin, in the order of device.def */
    bool checked; /* modelled times were compared with those of a card of this kind */
};

/* A number of a profile, as a row of device.def describes it. */
struct device_number {
    const char *name;
    enum device_role role;
    const char *unit, *summary;
    double low, high;
    size_t offset; /* of the double in struct device_profile */
};
extern const struct device_number device_numbers[DEVICE_NUMBER_COUNT];
double device_value(const struct device_profile *device, size_t index);

/* What a profile says beside its numbers: "latency/fma.f32, lop3.u32"; NULL where it says nothing.
 * Kept apart, because a launch has no use for it. */
struct device_notes {
    char *numbers[DEVICE_NUMBER_COUNT];
    char *checked;
};
void device_notes_free(struct device_notes *notes); /* what it owns; leaves it empty */

/* How many numbers are of which origin. */
struct device_provenance {
    unsigned counts[DEVICE_ORIGIN_COUNT];
    bool checked;
};
struct device_provenance device_provenance(const struct device_profile *device);
/* Of the rates alone, on which modelled times rest. */
struct device_provenance device_rate_provenance(const struct device_profile *device);
unsigned device_provenance_total(const struct device_provenance *provenance);
/* More than half is assumed, and no comparison with a card has shown that it fits. */
bool device_is_guess(const struct device_provenance *provenance);
/* "checked", "a guess", or "": what to think of times that rest on these rates. */
const char *device_describe_times(const struct device_provenance *rates);

#endif
