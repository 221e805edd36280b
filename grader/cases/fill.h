/* What the buffers and scalars of a case hold before a launch, made from what the exercise says.
 *
 * Pure functions of the fill, the case's sizes, the buffer's shape and the random stream: every
 * engine and both sides of a comparison get the same bytes. */
#ifndef WARPGRADE_GRADER_CASES_FILL_H
#define WARPGRADE_GRADER_CASES_FILL_H

#include "grader/cases/random.h"
#include "grader/exercise/fill_rule.h"

/* Writes place->count elements. The fill is resolved; of a formula only the rank of the shape's
 * indices are known. Floats of FILL_UNIFORM are in [low, high) also after they were rounded to the
 * type. */
void fill_write(struct random *random, const struct exercise_fill *fill,
                const struct fill_place *place, void *data);

/* The largest magnitude that fill_write() may write. */
double fill_largest(const struct exercise_fill *fill, const struct fill_place *place);

#endif
