/* Whether the speed case's launch did its work: real kernels do, those that leave it out do not. */
#include "grader/judge/speed_check.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 4, LENGTH = 1000, LONG = 1 << 20, NOWHERE = COUNT };

/* Elements as they are after both launches. */
struct row {
    const char *what;
    enum exercise_role role;
    enum tolerance_kind tolerance;
    int64_t length; /* of the sums */
    double own[COUNT], tuned[COUNT];
    unsigned unwritten_own, unwritten_tuned; /* bit i: element i still holds the poison */
    uint64_t index;                          /* of the wrong element, or NOWHERE */
};

static const struct row rows[] = {
    {"the same", ROLE_OUT, TOLERANCE_EXACT, LENGTH, {1, 2, 3, 4}, {1, 2, 3, 4}, 0, 0, NOWHERE},
    {"another value", ROLE_OUT, TOLERANCE_EXACT, LENGTH, {1, 2, 3.5, 4}, {1, 2, 3, 4}, 0, 0, 2},
    {"nothing written", ROLE_OUT, TOLERANCE_EXACT, LENGTH, {0}, {1, 2, 3, 4}, 15, 0, 0},
    {"half written", ROLE_OUT, TOLERANCE_EXACT, LENGTH, {1, 2, 0, 0}, {1, 2, 3, 4}, 12, 0, 2},
    {"neither wrote", ROLE_OUT, TOLERANCE_EXACT, LENGTH, {1}, {2}, 15, 15, NOWHERE},
    {"more is written",
     ROLE_OUT,
     TOLERANCE_EXACT,
     LENGTH,
     {1, 2, 3, 4},
     {1, 0, 3, 4},
     0,
     2,
     NOWHERE},
    {"updated in part", ROLE_INOUT, TOLERANCE_EXACT, LENGTH, {1, 2, 0.5, 4}, {1, 2, 3, 4}, 0, 0, 2},
    {"a sum, in another order",
     ROLE_INOUT,
     TOLERANCE_DOT,
     LENGTH,
     {20.0001, 2, 3, 4},
     {20, 2, 3, 4},
     0,
     0,
     NOWHERE},
    {"a sum that was not added", ROLE_INOUT, TOLERANCE_DOT, LENGTH, {0, 2}, {20, 2}, 0, 0, 0},
    {"half of a long sum", ROLE_INOUT, TOLERANCE_DOT, LONG, {200, 2}, {300, 2}, 0, 0, 0},
    {"a long sum, in another order",
     ROLE_INOUT,
     TOLERANCE_DOT,
     LONG,
     {300.1, 2},
     {300, 2},
     0,
     0,
     NOWHERE},
    {"rounded otherwise", ROLE_OUT, TOLERANCE_ULP, LENGTH, {1.0000001, 2}, {1, 2}, 0, 0, NOWHERE},
    {"scratch space",
     ROLE_INOUT,
     TOLERANCE_NONE,
     LENGTH,
     {9, 9, 9, 9},
     {1, 2, 3, 4},
     0,
     0,
     NOWHERE},
    {"constants", ROLE_OUT, TOLERANCE_ULP, LENGTH, {1, 1, 1, 1}, {1, 2, 3, 4}, 0, 0, 1},
};

static void put(float data[COUNT], const double values[COUNT], unsigned unwritten) {
    uint64_t poison = plan_poison(ELEMENT_f32);
    for (unsigned i = 0; i < COUNT; i++) {
        data[i] = (float)values[i];
        if (unwritten >> i & 1)
            memcpy(&data[i], &poison, sizeof data[i]);
    }
}

static void looks_at_what_was_written(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        const struct row *row = &rows[i];
        struct exercise_param param = {
            .name = (char *)"y",
            .type = ELEMENT_f32,
            .role = row->role,
            .tolerance = {.kind = row->tolerance, .ulp = 2, .factor = 1}};
        struct exercise exercise = {.params = &param, .param_count = 1};
        struct exercise_fill fill = {.kind = FILL_UNIFORM, .low = -1, .high = 1};
        struct engine_argument argument = {
            .is_buffer = true, .type = ELEMENT_f32, .count = COUNT, .rank = 1};
        int64_t length = row->length;
        struct plan_launch launch = {
            .arguments = &argument, .argument_count = 1, .lengths = &length};
        float own[COUNT], tuned[COUNT];
        put(own, row->own, row->unwritten_own);
        put(tuned, row->tuned, row->unwritten_tuned);
        struct speed_outputs submission = {&launch, own}, other = {&launch, tuned};
        struct speed_difference found;
        struct plan_case the_case = {.fills = &fill};
        bool right = speed_check(&exercise, &the_case, &submission, &other, &found);
        if (right != (row->index == NOWHERE) || (!right && found.index != row->index))
            fail_msg("%s: %s at %u", row->what, right ? "right" : "wrong", (unsigned)found.index);
        if (!right && found.unwritten != (row->unwritten_own >> found.index & 1))
            fail_msg("%s: %s", row->what, found.unwritten ? "unwritten" : "written");
    }
}

/* Runs of equal elements are passed over as wholes: the one that differs is found wherever it is,
 * and none after the last. */
static void finds_the_one_of_many(void **state) {
    (void)state;
    enum { MANY = 5000 };
    static const size_t places[] = {0, 1, 1023, 1024, 1025, 2047, 4095, 4999, MANY};
    struct exercise_param param = {.name = (char *)"y",
                                   .type = ELEMENT_i16,
                                   .role = ROLE_OUT,
                                   .tolerance = {.kind = TOLERANCE_EXACT, .factor = 1}};
    struct exercise exercise = {.params = &param, .param_count = 1};
    struct exercise_fill fill = {.kind = FILL_UNIFORM, .low = -1, .high = 1};
    struct engine_argument argument = {
        .is_buffer = true, .type = ELEMENT_i16, .count = MANY, .rank = 1};
    int64_t length = 1;
    struct plan_launch launch = {.arguments = &argument, .argument_count = 1, .lengths = &length};
    struct plan_case the_case = {.fills = &fill};
    for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
        int16_t own[MANY + 1], tuned[MANY + 1];
        for (size_t j = 0; j <= MANY; j++)
            own[j] = tuned[j] = (int16_t)(j % 1000);
        own[places[i]]++;
        struct speed_outputs submission = {&launch, own}, other = {&launch, tuned};
        struct speed_difference found;
        bool right = speed_check(&exercise, &the_case, &submission, &other, &found);
        assert_true(right == (places[i] == MANY));
        if (!right)
            assert_int_equal(found.index, places[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(looks_at_what_was_written),
                                       cmocka_unit_test(finds_the_one_of_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
