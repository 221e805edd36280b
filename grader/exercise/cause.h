/* The causes of wrong answers that have a name. */
#ifndef WARPGRADE_GRADER_EXERCISE_CAUSE_H
#define WARPGRADE_GRADER_EXERCISE_CAUSE_H

#include <stdint.h>

enum cause {
    CAUSE_NONE,
#define CAUSE(ID, name, en, zh) CAUSE_##ID,
#include "grader/exercise/cause.def"
#undef CAUSE
    CAUSE_COUNT
};

struct cause_info {
    const char *name; /* NULL for CAUSE_NONE */
    const char *en, *zh;
};
extern const struct cause_info cause_infos[CAUSE_COUNT];

/* A set of causes. */
typedef uint64_t cause_set;
_Static_assert(CAUSE_COUNT <= 64, "a cause is a bit of a cause_set");
static inline cause_set cause_bit(enum cause cause) {
    return (cause_set)1 << cause;
}

#endif
