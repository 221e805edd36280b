/* What the buffers and scalars of a case hold before a launch, made from what the exercise says.
 *
 * Pure functions of the fill, the case's sizes, the buffer's shape and the random stream: every
 * engine and both sides of a comparison get the same bytes. */
#ifndef WARPGRADE_GRADER_FILL_H
#define WARPGRADE_GRADER_FILL_H

#include "grader/exercise.h"
#include "grader/random.h"

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

/* Writes place->count elements. The fill is resolved; of a formula only the rank of the shape's
 * indices are known. Floats of FILL_UNIFORM are in [low, high) also after they were rounded to the
 * type. */
void fill_write(struct random *random, const struct exercise_fill *fill,
                const struct fill_place *place, void *data);

/* The largest magnitude that fill_write() may write. */
double fill_largest(const struct exercise_fill *fill, const struct fill_place *place);

#endif
