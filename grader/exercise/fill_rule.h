/* What an exercise says about the data of a buffer or scalar: resolved, checked and, for formulas,
 * evaluated. Nothing here is random. */
#ifndef WARPGRADE_GRADER_EXERCISE_FILL_RULE_H
#define WARPGRADE_GRADER_EXERCISE_FILL_RULE_H

#include "grader/exercise/exercise.h"

/* One buffer, or a scalar (rank 0, count 1), in one case. */
struct fill_place {
    enum element_type type;
    const uint64_t *shape; /* slowest first */
    unsigned rank;
    uint64_t count; /* the product of the shape */
    const struct exercise_size *sizes;
    size_t size_count;
};

enum { FILL_INDICES = 3 };
extern const char *const fill_index_names[FILL_INDICES]; /* i, j, k */

/* The fill with its bounds as numbers. Where one has no value, *culprit is its expression and
 * error->column the place in its text. */
enum status fill_resolve(const struct exercise_fill *fill, const struct exercise_size *sizes,
                         size_t size_count, struct exercise_fill *resolved,
                         const struct expr **culprit, struct error *error);

/* Whether a resolved fill can be stored: in order, whole and small enough for the type. Of a
 * formula the first 65,536 elements and the last are looked at, because the others need the time of
 * a launch; what is out of range there is stored as C converts it. */
enum status fill_check(const struct exercise_fill *fill, const struct fill_place *place,
                       struct error *error);

/* A strip of a formula's elements: where each lies, and its value. */
enum { FILL_STRIP = 4096, FILL_MAX_SIZES = 64 };
struct fill_strip {
    double indices[FILL_INDICES][FILL_STRIP];
    double values[FILL_STRIP];
    struct expr_column columns[FILL_INDICES + FILL_MAX_SIZES];
    size_t column_count;
};
struct fill_strip *fill_strip_make(const struct fill_place *place); /* caller frees */
void fill_strip_evaluate(struct fill_strip *strip, const struct exercise_fill *fill,
                         const struct fill_place *place, uint64_t first, size_t count);
/* Elements of the strip that begins at `first`, of `count` in all. */
size_t fill_strip_length(uint64_t first, uint64_t count);

#endif
