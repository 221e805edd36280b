/* Baselines: which of an exercise's parameters are the operands of a BLAS routine, and how large
 * they are. Pure; who calls the routine is sandbox/cuda. */
#ifndef WARPGRADE_GRADER_EXERCISE_BASELINE_H
#define WARPGRADE_GRADER_EXERCISE_BASELINE_H

#include "grader/exercise/exercise.h"

/* Finds the operands among the exercise's parameters, by role and rank, and sets a, b, c and alpha.
 * STATUS_INVALID where the exercise has not exactly those that the routine takes: the message says
 * what it takes. */
enum status baseline_resolve(const struct exercise *exercise, struct exercise_baseline *baseline,
                             struct error *error);

/* c is m x n, and a sum has k terms; vectors have n = 1, and m elements. */
struct baseline_sizes {
    int64_t m, n, k;
};
/* The sizes, from the shapes of the parameters in a case; STATUS_INVALID where the shapes of the
 * operands do not go together, or are too large for a 32-bit BLAS. */
enum status baseline_measure(const struct exercise *exercise, const struct expr_name *names,
                             size_t name_count, struct baseline_sizes *sizes, struct error *error);

#endif
