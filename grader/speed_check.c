/* See speed_check.h.
 *
 * The bound for a sum of products of length k: both kernels may be off by k * eps * sum|a_i b_i|,
 * and nobody has computed that sum. It is at most k times the largest product that the data allows,
 * which makes a bound of k^2 * eps that catches nothing for long sums. Rounding errors do not all
 * go one way: in practice they grow with the root of k, as the sum itself does for data around
 * zero, so that k * eps * (largest product), eight times over, holds for any order of summation
 * that people write, and is still far below the sum. */
#include "grader/speed_check.h"

#include "grader/compare.h"

#include <math.h>
#include <string.h>

#define SLACK 8

/* The largest product of one element of each floating-point input, but at least 1. */
static double largest_product(const struct exercise *exercise, const struct exercise_fill *fills) {
    double product = 1;
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        if (param->role == ROLE_OUT || param->role == ROLE_SIZE ||
            !element_infos[param->type].is_float)
            continue;
        double most = fmax(fabs(fills[i].low), fabs(fills[i].high));
        product *= fmax(most, 1);
    }
    return product;
}

static double allowed(const struct exercise_param *param, int64_t length, double product,
                      double expected) {
    double eps = compare_roundoff(param->type);
    if (!element_infos[param->type].is_float || param->tolerance.kind == TOLERANCE_EXACT)
        return 0;
    if (param->tolerance.kind == TOLERANCE_ULP)
        return 2 * SLACK * (param->tolerance.ulp + 1) * eps * fabs(expected);
    return SLACK * param->tolerance.factor * eps *
           ((double)length * product + (double)length * fabs(expected));
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

struct comparison {
    const struct exercise_param *param;
    const char *actual, *expected;
    uint64_t count;
    int64_t length;
    double product;
    bool sampled; /* the submission's launch */
};

/* In one or two bytes the poison is a value like any other: all is taken as written there, which
 * holds where every block ran. */
static enum speed_work compare(const struct comparison *c, uint64_t *index, double *actual,
                               double *expected) {
    uint64_t own = 0, tuned = 0;
    bool small = element_infos[c->param->type].bytes < 4;
    for (uint64_t i = 0; i < c->count; i++) {
        bool here = small || !is_poison(c->param, c->actual, i);
        bool there = small || !is_poison(c->param, c->expected, i);
        own += here;
        tuned += there;
        if (!there || (c->sampled && !here))
            continue;
        *actual = element_to_double(c->param->type, c->actual, i);
        *expected = element_to_double(c->param->type, c->expected, i);
        *index = i;
        if (!here ||
            !is_same(*actual, *expected, allowed(c->param, c->length, c->product, *expected)))
            return SPEED_WORK_WRONG;
    }
    return c->sampled && tuned && !own ? SPEED_WORK_UNSEEN : SPEED_WORK_DONE;
}

enum speed_work speed_check(const struct exercise *exercise, const struct exercise_fill *fills,
                            const struct speed_outputs *submission,
                            const struct speed_outputs *tuned, size_t *output, uint64_t *index,
                            double *actual, double *expected) {
    enum speed_work work = SPEED_WORK_DONE;
    bool sums = !submission->sampled && !tuned->sampled;
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        const struct engine_argument *own = &submission->launch->arguments[i];
        const struct engine_argument *other = &tuned->launch->arguments[i];
        bool small = element_infos[param->type].bytes < 4;
        bool judged = param->role == ROLE_OUT ? sums || !small : param->role == ROLE_INOUT && sums;
        if (!judged || own->count != other->count)
            continue;
        struct comparison comparison = {.param = param,
                                        .actual = (const char *)submission->data + own->data_offset,
                                        .expected = (const char *)tuned->data + other->data_offset,
                                        .count = own->count,
                                        .length = submission->launch->lengths[i],
                                        .product = largest_product(exercise, fills),
                                        .sampled = submission->sampled};
        enum speed_work found = compare(&comparison, index, actual, expected);
        *output = i;
        if (found == SPEED_WORK_WRONG)
            return found;
        if (found == SPEED_WORK_UNSEEN)
            work = found;
    }
    return work;
}
