/* The tables of types.h, and the conversion between stored elements and doubles. */
#include "sandbox/base/types.h"

#include <string.h>

const struct element_info element_infos[ELEMENT_COUNT] = {
#define ELEMENT(id, bytes, is_float, is_signed, c_name) {#id, bytes, is_float, is_signed, c_name},
#include "sandbox/base/element.def"
#undef ELEMENT
};

const char *const hazard_fixes[FIX_COUNT] = {
#define FIX(ID, sentence, chinese) sentence,
#include "sandbox/base/hazard_fix.def"
#undef FIX
};

const struct hazard_info hazard_infos[HAZARD_COUNT] = {
#define HAZARD(ID, name, counted, verdict, level, lead, summary)                                   \
    {name, COUNTED_##counted, lead, summary},
#include "sandbox/base/hazard.def"
#undef HAZARD
};

enum { KIND_line = false, KIND_device = true };
const struct counter_info counter_infos[COUNTER_COUNT] = {
#define COUNTER(id, kind, metric, summary) {#id, metric, summary, KIND_##kind},
#include "sandbox/base/counter.def"
#undef COUNTER
};

_Static_assert(sizeof(struct counters) == COUNTER_COUNT * sizeof(uint64_t), "no padding");

bool element_from_name(const char *name, enum element_type *type) {
    for (unsigned i = 0; i < ELEMENT_COUNT; i++)
        if (strcmp(name, element_infos[i].name) == 0) {
            *type = (enum element_type)i;
            return true;
        }
    return false;
}

bool hazard_counts_accesses(enum hazard_kind kind) {
    enum hazard_counted counted = hazard_infos[kind].counted;
    return counted == COUNTED_ACCESSES || counted == COUNTED_RACES;
}

bool hazard_from_name(const char *name, enum hazard_kind *kind) {
    for (unsigned i = 0; i < HAZARD_COUNT; i++)
        if (strcmp(name, hazard_infos[i].name) == 0) {
            *kind = (enum hazard_kind)i;
            return true;
        }
    return false;
}

uint64_t *counter_at(struct counters *counters, size_t index) {
    return (uint64_t *)counters + index;
}

uint64_t counter_value(const struct counters *counters, size_t index) {
    return ((const uint64_t *)counters)[index];
}

double element_roundoff(enum element_type type) {
    switch (type) {
    case ELEMENT_f16:
        return 0x1p-11;
    case ELEMENT_f32:
        return 0x1p-24;
    case ELEMENT_f64:
        return 0x1p-53;
    default:
        return 0;
    }
}

/* gcc's _Float16 does IEEE binary16 with correct rounding in software where the CPU lacks it. */
double element_to_double(enum element_type type, const void *data, size_t index) {
    const char *at = (const char *)data + index * element_infos[type].bytes;
#define LOAD(ctype)                                                                                \
    do {                                                                                           \
        ctype value;                                                                               \
        memcpy(&value, at, sizeof value);                                                          \
        return (double)value;                                                                      \
    } while (0)
    switch (type) {
    case ELEMENT_i8:
        LOAD(int8_t);
    case ELEMENT_u8:
        LOAD(uint8_t);
    case ELEMENT_i16:
        LOAD(int16_t);
    case ELEMENT_u16:
        LOAD(uint16_t);
    case ELEMENT_i32:
        LOAD(int32_t);
    case ELEMENT_u32:
        LOAD(uint32_t);
    case ELEMENT_i64:
        LOAD(int64_t);
    case ELEMENT_u64:
        LOAD(uint64_t);
    case ELEMENT_f16:
        LOAD(_Float16);
    case ELEMENT_f32:
        LOAD(float);
    case ELEMENT_f64:
        LOAD(double);
    case ELEMENT_COUNT:
        break;
    }
#undef LOAD
    return 0;
}

void element_from_double(enum element_type type, void *data, size_t index, double value) {
    char *at = (char *)data + index * element_infos[type].bytes;
#define STORE(ctype)                                                                               \
    do {                                                                                           \
        ctype stored = (ctype)value;                                                               \
        memcpy(at, &stored, sizeof stored);                                                        \
        return;                                                                                    \
    } while (0)
    if (!element_infos[type].is_float) {
        /* Out-of-range conversion is undefined in C: saturate to 64 bits first, then wrap. */
        uint64_t bits;
        if (value != value)
            bits = 0;
        else if (value >= 18446744073709551616.0)
            bits = UINT64_MAX;
        else if (value >= 0)
            bits = (uint64_t)value;
        else if (value <= -9223372036854775808.0)
            bits = (uint64_t)INT64_MIN;
        else
            bits = (uint64_t)(int64_t)value;
        memcpy(at, &bits, element_infos[type].bytes); /* little-endian hosts only, see CMakeLists */
        return;
    }
    switch (type) {
    case ELEMENT_f16:
        STORE(_Float16);
    case ELEMENT_f32:
        STORE(float);
    case ELEMENT_f64:
        STORE(double);
    default:
        return;
    }
#undef STORE
}
