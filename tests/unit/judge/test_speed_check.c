/* Whether a profiled launch did its work: real kernels do, those that leave it out do not. */
#include "grader/speed_check.h"

#include "grader/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 4, LENGTH = 1000 };

/* Elements as they are after both launches. */
struct row {
    const char *what;
    enum exercise_role role;
    enum tolerance_kind tolerance;
    bool sampled, tuned_sampled;
    double own[COUNT], tuned[COUNT];
    unsigned unwritten_own, unwritten_tuned; /* bit i: element i still holds the poison */
    enum speed_work work;
    uint64_t index; /* of the wrong element */
};

static const struct row rows[] = {
    {"the same",
     ROLE_OUT,
     TOLERANCE_EXACT,
     false,
     false,
     {1, 2, 3, 4},
     {1, 2, 3, 4},
     0,
     0,
     SPEED_WORK_DONE,
     0},
    {"another value",
     ROLE_OUT,
     TOLERANCE_EXACT,
     false,
     false,
     {1, 2, 3.5, 4},
     {1, 2, 3, 4},
     0,
     0,
     SPEED_WORK_WRONG,
     2},
    {"nothing written, in full",
     ROLE_OUT,
     TOLERANCE_EXACT,
     false,
     false,
     {0},
     {1, 2, 3, 4},
     15,
     0,
     SPEED_WORK_WRONG,
     0},
    {"half written, in full",
     ROLE_OUT,
     TOLERANCE_EXACT,
     false,
     false,
     {1, 2, 0, 0},
     {1, 2, 3, 4},
     12,
     0,
     SPEED_WORK_WRONG,
     2},
    {"other blocks were drawn",
     ROLE_OUT,
     TOLERANCE_EXACT,
     true,
     true,
     {1, 2, 0, 0},
     {0, 0, 3, 4},
     12,
     3,
     SPEED_WORK_DONE,
     0},
    {"one that both wrote",
     ROLE_OUT,
     TOLERANCE_EXACT,
     true,
     true,
     {1, 9, 0, 0},
     {0, 2, 3, 4},
     12,
     1,
     SPEED_WORK_WRONG,
     1},
    {"nothing written in the sample",
     ROLE_OUT,
     TOLERANCE_EXACT,
     true,
     true,
     {0},
     {1, 2, 0, 0},
     15,
     12,
     SPEED_WORK_UNSEEN,
     0},
    {"neither wrote", ROLE_OUT, TOLERANCE_EXACT, true, true, {0}, {0}, 15, 15, SPEED_WORK_DONE, 0},
    {"nothing written in full, beside a sample",
     ROLE_OUT,
     TOLERANCE_EXACT,
     false,
     true,
     {0},
     {0, 2, 0, 0},
     15,
     13,
     SPEED_WORK_WRONG,
     1},
    {"all written, beside a sample",
     ROLE_OUT,
     TOLERANCE_EXACT,
     false,
     true,
     {1, 2, 3, 4},
     {0, 2, 0, 0},
     0,
     13,
     SPEED_WORK_DONE,
     0},
    {"a sum, in another order",
     ROLE_INOUT,
     TOLERANCE_DOT,
     false,
     false,
     {20.0001, 2, 3, 4},
     {20, 2, 3, 4},
     0,
     0,
     SPEED_WORK_DONE,
     0},
    {"a sum that was not added",
     ROLE_INOUT,
     TOLERANCE_DOT,
     false,
     false,
     {0, 2, 3, 4},
     {20, 2, 3, 4},
     0,
     0,
     SPEED_WORK_WRONG,
     0},
    {"a sum of some blocks",
     ROLE_INOUT,
     TOLERANCE_DOT,
     true,
     true,
     {5, 2, 3, 4},
     {7, 2, 3, 4},
     0,
     0,
     SPEED_WORK_DONE,
     0},
    {"rounded otherwise",
     ROLE_OUT,
     TOLERANCE_ULP,
     false,
     false,
     {1.0000001, 2, 3, 4},
     {1, 2, 3, 4},
     0,
     0,
     SPEED_WORK_DONE,
     0},
    {"constants",
     ROLE_OUT,
     TOLERANCE_ULP,
     false,
     false,
     {1, 1, 1, 1},
     {1, 2, 3, 4},
     0,
     0,
     SPEED_WORK_WRONG,
     1},
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
        int64_t length = LENGTH;
        struct plan_launch launch = {
            .arguments = &argument, .argument_count = 1, .lengths = &length};
        float own[COUNT], tuned[COUNT];
        put(own, row->own, row->unwritten_own);
        put(tuned, row->tuned, row->unwritten_tuned);
        struct speed_outputs outputs[] = {{&launch, own, row->sampled},
                                          {&launch, tuned, row->tuned_sampled}};
        size_t output = 9;
        uint64_t index = 9;
        double actual, expected;
        enum speed_work work = speed_check(&exercise, &fill, &outputs[0], &outputs[1], &output,
                                           &index, &actual, &expected);
        if (work != row->work || (work == SPEED_WORK_WRONG && index != row->index))
            fail_msg("%s: %d at %u", row->what, (int)work, (unsigned)index);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(looks_at_what_was_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
