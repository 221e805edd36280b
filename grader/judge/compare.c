/* The comparison of outputs; compare.h has the rules and where they come from.
 *
 * Two passes over blocks of 1024 elements: a branch-free count of the elements that are not
 * obviously right, about a nanosecond each, and an element-by-element look, with all special
 * values, at the blocks where that count is not zero. The first pass may only err by calling a
 * right element doubtful: every test in it is written so that a NaN makes it fail. */
#include "grader/judge/compare.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

enum { BLOCK = 1024, THREADS = 4, PART_BLOCKS = 1024 };

/* Half the smallest subnormal number: the largest error of a product that underflows. */
static double half_subnormal(enum element_type type) {
    switch (type) {
    case ELEMENT_f16:
        return 0x1p-25;
    case ELEMENT_f32:
        return 0x1p-150;
    default:
        return 0; /* of f64 it is not a double; its subnormals are exact sums of each other */
    }
}

static double round_to_type(enum element_type type, double value) {
    unsigned char bits[8];
    element_from_double(type, bits, 0, value);
    return element_to_double(type, bits, 0);
}

static uint64_t element_bits(enum element_type type, const void *data, uint64_t index) {
    uint64_t bits = 0;
    unsigned bytes = element_infos[type].bytes;
    memcpy(&bits, (const char *)data + index * bytes, bytes);
    return bits;
}

/* The value's position among all values of the type, 0 for both zeros. */
static int64_t float_rank(enum element_type type, uint64_t bits) {
    unsigned width = element_infos[type].bytes * 8;
    uint64_t sign = (uint64_t)1 << (width - 1);
    int64_t magnitude = (int64_t)(bits & (sign - 1));
    return bits & sign ? -magnitude : magnitude;
}

/* Distance in units in the last place; both finite. Ranks are below 2^63 in size: no overflow in
 * unsigned arithmetic. */
static uint64_t float_distance(enum element_type type, uint64_t a, uint64_t b) {
    int64_t rank_a = float_rank(type, a), rank_b = float_rank(type, b);
    return rank_a > rank_b ? (uint64_t)rank_a - (uint64_t)rank_b
                           : (uint64_t)rank_b - (uint64_t)rank_a;
}

static uint64_t ulp_limit(const struct exercise_tolerance *tolerance) {
    double ulp = tolerance->kind == TOLERANCE_ULP ? floor(tolerance->ulp) : 0;
    return ulp >= 0x1p63 ? INT64_MAX : ulp > 0 ? (uint64_t)ulp : 0;
}

/* The bounds of `dot`: slope * m + offset, and root * |r| + flat * m + offset. Where the second
 * does not apply it is the first. */
struct dot_bound {
    double slope, offset, root, flat;
};

/* See compare.h. */
#define PROBABLE_SLACK 8
#define PROBABLE_FLAT  4

enum { LONGEST_WALK = 1 << 18 };

static struct dot_bound dot_bound_make(const struct compare_request *request) {
    double terms = request->length > 0 ? (double)request->length : 0;
    double scale = terms * request->tolerance->factor;
    double roundoff = element_roundoff(request->type) + element_roundoff(ELEMENT_f64);
    struct dot_bound bound = {.slope = scale * roundoff,
                              .offset = scale * half_subnormal(request->type),
                              .flat = scale * roundoff};
    if (request->drawn && request->length <= LONGEST_WALK) {
        double unit = PROBABLE_SLACK * request->tolerance->factor * roundoff;
        bound.root = unit * sqrt(terms);
        bound.flat = unit * PROBABLE_FLAT;
    }
    return bound;
}

/* As every test of the first pass, false for a NaN. */
static inline bool is_within(struct dot_bound bound, double y, double r, double m) {
    double off = fabs(y - r);
    return (off <= bound.slope * m + bound.offset) &
           (off <= bound.root * fabs(r) + bound.flat * m + bound.offset);
}

static double near_bound(const struct exercise_tolerance *tolerance, double r) {
    return tolerance->absolute + tolerance->relative * fabs(r);
}

/* Judged by |y - r|, not by the values between. */
static bool has_bound(const struct exercise_tolerance *tolerance) {
    return tolerance->kind == TOLERANCE_DOT || tolerance->kind == TOLERANCE_NEAR;
}

static double allowed_difference(const struct compare_request *request, uint64_t index,
                                 double rounded) {
    switch (request->tolerance->kind) {
    case TOLERANCE_EXACT:
    case TOLERANCE_NONE:
        return 0;
    case TOLERANCE_ULP: {
        /* The spacing of T at R, away from zero. */
        double scale = fabs(rounded);
        double largest_step = 2 * element_roundoff(request->type);
        int exponent;
        frexp(scale, &exponent);
        double spacing = fmax(ldexp(largest_step, exponent - 1), 2 * half_subnormal(request->type));
        return isfinite(scale) ? (double)ulp_limit(request->tolerance) * spacing : 0;
    }
    case TOLERANCE_NEAR:
        return near_bound(request->tolerance, ((const double *)request->expected)[index]);
    case TOLERANCE_DOT: {
        struct dot_bound bound = dot_bound_make(request);
        double m = request->magnitude[index];
        double r = fabs(((const double *)request->expected)[index]);
        return fmin(bound.slope * m, bound.root * r + bound.flat * m) + bound.offset;
    }
    }
    return 0;
}

static bool float_is_right(const struct compare_request *request, uint64_t index) {
    const double *expected = request->expected;
    double r = expected[index];
    double y = element_to_double(request->type, request->actual, index);
    if (isnan(r) || isnan(y))
        return isnan(r) && isnan(y);
    double rounded = round_to_type(request->type, r);
    if (isinf(y))
        return rounded == y;
    if (has_bound(request->tolerance)) {
        double allowed = allowed_difference(request, index, rounded);
        return isfinite(allowed) ? fabs(y - r) <= allowed : y == rounded;
    }
    if (isinf(rounded))
        return false;
    unsigned char bits[8];
    element_from_double(request->type, bits, 0, r);
    return float_distance(request->type, element_bits(request->type, bits, 0),
                          element_bits(request->type, request->actual, index)) <=
           ulp_limit(request->tolerance);
}

/* ---- the first pass: how many elements of a block need a closer look ---------------------- */

static uint64_t doubtful_f32(const float *y, const double *r, const double *m, unsigned count,
                             struct dot_bound bound) {
    uint64_t doubtful = 0;
    for (unsigned i = 0; i < count; i++)
        doubtful += !is_within(bound, (double)y[i], r[i], m[i]);
    return doubtful;
}

static uint64_t doubtful_f64(const double *y, const double *r, const double *m, unsigned count,
                             struct dot_bound bound) {
    uint64_t doubtful = 0;
    for (unsigned i = 0; i < count; i++)
        doubtful += !is_within(bound, y[i], r[i], m[i]);
    return doubtful;
}

static unsigned unequal_f32(const float *y, const double *r, unsigned count) {
    unsigned unequal = 0;
    for (unsigned i = 0; i < count; i++)
        unequal += !(y[i] == (float)r[i]);
    return unequal;
}

static uint64_t unequal_f64(const double *y, const double *r, unsigned count) {
    uint64_t unequal = 0;
    for (unsigned i = 0; i < count; i++)
        unequal += !(y[i] == r[i]);
    return unequal;
}

/* True where every element of the block is right beyond doubt. An infinite bound (an infinite m)
 * would accept anything: such blocks are always looked at. */
static bool block_is_clear(const struct compare_request *request, uint64_t start, unsigned count) {
    unsigned bytes = element_infos[request->type].bytes;
    const char *actual = (const char *)request->actual + start * bytes;
    if (!element_infos[request->type].is_float)
        return memcmp(actual, (const char *)request->expected + start * bytes, count * bytes) == 0;
    const double *r = (const double *)request->expected + start;
    if (request->tolerance->kind != TOLERANCE_DOT) {
        if (request->type == ELEMENT_f32)
            return unequal_f32((const float *)(const void *)actual, r, count) == 0;
        return request->type == ELEMENT_f64 &&
               unequal_f64((const double *)(const void *)actual, r, count) == 0;
    }
    const double *m = request->magnitude + start;
    struct dot_bound bound = dot_bound_make(request);
    double largest = 0;
    for (unsigned i = 0; i < count; i++)
        largest = m[i] > largest ? m[i] : largest;
    if (!(bound.slope * largest + bound.offset <= DBL_MAX))
        return false;
    if (request->type == ELEMENT_f32)
        return doubtful_f32((const float *)(const void *)actual, r, m, count, bound) == 0;
    return request->type == ELEMENT_f64 &&
           doubtful_f64((const double *)(const void *)actual, r, m, count, bound) == 0;
}

/* ---- the second pass ---------------------------------------------------------------------- */

static void note_first(const struct compare_request *request, uint64_t index, bool unwritten,
                       struct compare_result *result) {
    bool is_float = element_infos[request->type].is_float;
    result->first = index;
    result->first_unwritten = unwritten;
    result->actual = element_to_double(request->type, request->actual, index);
    if (!is_float) {
        result->expected = element_to_double(request->type, request->expected, index);
        return;
    }
    result->expected = round_to_type(request->type, ((const double *)request->expected)[index]);
    result->allowed = allowed_difference(request, index, result->expected);
    if (request->tolerance->kind == TOLERANCE_DOT && request->drawn) {
        struct compare_request any = *request;
        any.drawn = false;
        result->first_is_coarse = float_is_right(&any, index);
    }
}

/* A kernel may write the poison's bits by chance or on purpose. */
static bool is_unwritten(const struct compare_request *request, uint64_t index, uint64_t bits) {
    return request->has_poison && bits == request->poison &&
           (!request->again ||
            element_bits(request->type, request->again, index) == request->other_poison);
}

bool compare_is_right(const struct compare_request *request, uint64_t index, bool *unwritten) {
    uint64_t bits = element_bits(request->type, request->actual, index);
    bool right = element_infos[request->type].is_float
                     ? float_is_right(request, index)
                     : bits == element_bits(request->type, request->expected, index);
    *unwritten = is_unwritten(request, index, bits);
    return right && !(*unwritten && request->again);
}

static void look_at_block(const struct compare_request *request, uint64_t start, unsigned count,
                          struct compare_result *result) {
    for (uint64_t i = start; i < start + count; i++) {
        bool unwritten;
        if (compare_is_right(request, i, &unwritten))
            continue;
        if (result->differing++ == 0)
            note_first(request, i, unwritten, result);
        result->unwritten += unwritten;
    }
}

struct compare_result compare_elements(const struct compare_request *request) {
    struct compare_result result = {0};
    if (request->tolerance->kind == TOLERANCE_NONE)
        return result;
    for (uint64_t start = 0; start < request->count; start += BLOCK) {
        uint64_t left = request->count - start;
        unsigned count = left < BLOCK ? (unsigned)left : BLOCK;
        if (request->again || !block_is_clear(request, start, count))
            look_at_block(request, start, count, &result);
    }
    return result;
}

/* ---- by several threads ------------------------------------------------------------------- */

struct compare_part {
    struct compare_request request;
    uint64_t start;
    struct compare_result result;
};

static void *compare_part(void *argument) {
    struct compare_part *part = argument;
    part->result = compare_elements(&part->request);
    return NULL;
}

static struct compare_part part_of(const struct compare_request *request, uint64_t start,
                                   uint64_t end) {
    const struct element_info *info = &element_infos[request->type];
    struct compare_part part = {.request = *request, .start = start};
    size_t expected_bytes = info->is_float ? sizeof(double) : info->bytes;
    part.request.actual = (const char *)request->actual + start * info->bytes;
    part.request.expected = (const char *)request->expected + start * expected_bytes;
    if (request->again)
        part.request.again = (const char *)request->again + start * info->bytes;
    part.request.magnitude = request->magnitude ? request->magnitude + start : NULL;
    part.request.count = end - start;
    return part;
}

/* Parts in their order: the first wrong element is that of the first part that has one. */
static struct compare_result join_parts(const struct compare_part *parts, unsigned count) {
    struct compare_result all = parts[0].result;
    for (unsigned i = 1; i < count; i++) {
        struct compare_result next = parts[i].result;
        next.first += parts[i].start;
        next.differing += all.differing;
        next.unwritten += all.unwritten;
        if (all.differing == 0) {
            all = next;
        } else {
            all.differing = next.differing;
            all.unwritten = next.unwritten;
        }
    }
    return all;
}

struct compare_result compare_many(const struct compare_request *request) {
    struct compare_part parts[THREADS];
    pthread_t threads[THREADS];
    uint64_t blocks = request->count / BLOCK, each = blocks / THREADS * BLOCK;
    unsigned started = 0;
    if (blocks < THREADS * PART_BLOCKS || request->tolerance->kind == TOLERANCE_NONE)
        return compare_elements(request);
    for (unsigned i = 0; i < THREADS; i++)
        parts[i] = part_of(request, i * each, i + 1 < THREADS ? (i + 1) * each : request->count);
    while (started + 1 < THREADS &&
           pthread_create(&threads[started], NULL, compare_part, &parts[started + 1]) == 0)
        started++;
    compare_part(&parts[0]);
    for (unsigned i = started + 1; i < THREADS; i++)
        compare_part(&parts[i]);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return join_parts(parts, THREADS);
}
