/* See speed_check.h.
 *
 * The bound for a sum of products of length k: both kernels may be off by k * eps * sum|a_i b_i|,
 * and that sum has not been computed. It is at most k times the largest product that the data
 * allows, which makes a bound of k^2 * eps that catches nothing for long sums. Rounding errors do
 * not all go one way: in practice they grow with the root of k, as the sum itself does for data
 * around zero, so that k * eps * (largest product), eight times over, holds for any order of
 * summation that people write. What the running sum loses beside that is relative to it and grows
 * with the root of k, too, until terms get lost against a sum of too many of them. */
#include "grader/judge/speed_check.h"

#include "grader/cases/fill.h"
#include "grader/judge/compare.h"

#include <math.h>
#include <string.h>

#define SLACK 8

enum { STAGNATING_LENGTH = 1 << 22 };

/* The largest product of one element of each floating-point input, but at least 1. */
static double largest_product(const struct exercise *exercise, const struct plan_case *the_case,
                              const struct plan_launch *launch) {
    double product = 1;
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        if (param->role == ROLE_OUT || param->role == ROLE_SIZE ||
            !element_infos[param->type].is_float)
            continue;
        const struct engine_argument *argument = &launch->arguments[i];
        const struct fill_place place = {.type = param->type,
                                         .shape = argument->shape,
                                         .rank = argument->rank,
                                         .count = argument->is_buffer ? argument->count : 1,
                                         .sizes = the_case->sizes,
                                         .size_count = the_case->size_count};
        product *= fmax(fill_largest(&the_case->fills[i], &place), 1);
    }
    return product;
}

static double allowed(const struct exercise_param *param, int64_t length, double product,
                      double expected) {
    double eps = element_roundoff(param->type);
    if (!element_infos[param->type].is_float || param->tolerance.kind == TOLERANCE_EXACT)
        return 0;
    if (param->tolerance.kind == TOLERANCE_NEAR) /* each kernel may be off by as much */
        return 2 * (param->tolerance.absolute + param->tolerance.relative * fabs(expected));
    if (param->tolerance.kind == TOLERANCE_ULP)
        return 2 * SLACK * (param->tolerance.ulp + 1) * eps * fabs(expected);
    double terms = (double)length;
    double walk = length < STAGNATING_LENGTH ? fmin(SLACK * sqrt(terms), terms) : terms;
    return SLACK * param->tolerance.factor * eps * (terms * product + walk * fabs(expected));
}

static bool is_poison(const struct exercise_param *param, const void *data, uint64_t index) {
    uint64_t poison = plan_poison(param->type);
    unsigned bytes = element_infos[param->type].bytes;
    return param->role == ROLE_OUT &&
           memcmp((const char *)data + index * bytes, &poison, bytes) == 0;
}

static bool is_same(double actual, double expected, double bound) {
    if (isnan(expected) || isinf(expected))
        return isnan(expected) ? isnan(actual) : actual == expected;
    return fabs(actual - expected) <= bound;
}

/* What the tuned kernel left unwritten is nothing to compare with. In one or two bytes the poison
 * is a value like any other. */
static bool is_written(const struct exercise_param *param, const void *data, uint64_t index) {
    return element_infos[param->type].bytes < 4 || !is_poison(param, data, index);
}

/* How many of the elements from `index` on, at most `count`, hold the same bits: those need no
 * closer look, and in whole runs of them it costs next to nothing. */
static uint64_t count_equal(const char *actual, const char *expected, uint64_t index,
                            uint64_t count, unsigned bytes) {
    enum { RUN = 1024 };
    uint64_t length = count - index < RUN ? count - index : RUN;
    const char *own = actual + index * bytes, *other = expected + index * bytes;
    if (memcmp(own, other, length * bytes) == 0)
        return length;
    uint64_t equal = 0;
    while (memcmp(own + equal * bytes, other + equal * bytes, bytes) == 0)
        equal++;
    return equal;
}

bool speed_check(const struct exercise *exercise, const struct plan_case *the_case,
                 const struct speed_outputs *submission, const struct speed_outputs *tuned,
                 struct speed_difference *found) {
    double product = largest_product(exercise, the_case, tuned->launch);
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        const struct engine_argument *own = &submission->launch->arguments[i];
        const struct engine_argument *other = &tuned->launch->arguments[i];
        if ((param->role != ROLE_OUT && param->role != ROLE_INOUT) ||
            param->tolerance.kind == TOLERANCE_NONE || own->count != other->count)
            continue;
        const char *actual = (const char *)submission->data + own->data_offset;
        const char *expected = (const char *)tuned->data + other->data_offset;
        int64_t length = submission->launch->lengths[i];
        unsigned bytes = element_infos[param->type].bytes;
        for (uint64_t j = 0; j < own->count; j++) {
            j += count_equal(actual, expected, j, own->count, bytes);
            if (j >= own->count)
                break;
            *found = (struct speed_difference){i, j, element_to_double(param->type, actual, j),
                                               element_to_double(param->type, expected, j),
                                               bytes >= 4 && is_poison(param, actual, j)};
            if (is_written(param, expected, j) &&
                !is_same(found->actual, found->expected,
                         allowed(param, length, product, found->expected)))
                return false;
        }
    }
    return true;
}
