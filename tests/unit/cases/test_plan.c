/* Cases, launches and data of a small exercise made by hand: y[i] = a * x[i] + sum, tiles of T. */
#include "grader/cases/plan.h"

#include "grader/cases/random.h"
#include "sandbox/base/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { X, Y, A, N, PARAMS };

struct fixture {
    struct exercise exercise;
    struct exercise_param params[PARAMS];
    struct exercise_size sizes[2];
    struct exercise_case cases[2];
    struct exercise_range range;
};

static struct expr *parse(const char *text) {
    struct expr *expression = NULL;
    struct error error = {0};
    if (expr_parse(text, &expression, &error) != STATUS_OK)
        fail_msg("%s: %s", text, error.message);
    return expression;
}

static int set_up(void **state) {
    struct fixture *f = mem_zalloc(sizeof *f);
    struct exercise_fill unit = {FILL_UNIFORM, -1, 1};
    f->params[X] = (struct exercise_param){.name = (char *)"x",
                                           .type = ELEMENT_f32,
                                           .role = ROLE_INOUT,
                                           .shape = {parse("n"), parse("2")},
                                           .rank = 2,
                                           .fill = unit};
    f->params[Y] = (struct exercise_param){
        .name = (char *)"y",
        .type = ELEMENT_f32,
        .role = ROLE_OUT,
        .shape = {parse("n")},
        .rank = 1,
        .tolerance = {.kind = TOLERANCE_DOT, .length = parse("n + 1"), .factor = 1}};
    f->params[A] = (struct exercise_param){
        .name = (char *)"a", .type = ELEMENT_f32, .role = ROLE_SCALAR, .fill = unit};
    f->params[N] =
        (struct exercise_param){.name = (char *)"n", .type = ELEMENT_i32, .role = ROLE_SIZE};
    f->sizes[0] = (struct exercise_size){(char *)"n", 100};
    f->sizes[1] = (struct exercise_size){(char *)"n", 1};
    f->cases[0] = (struct exercise_case){(char *)"hundred", GROUP_CORRECTNESS, &f->sizes[0], 1, 0};
    f->cases[1] = (struct exercise_case){(char *)"one", GROUP_BOUNDARY, &f->sizes[1], 1, 0};
    f->range = (struct exercise_range){(char *)"n", 10, 20};
    f->exercise.id = (char *)"fixture";
    f->exercise.params = f->params;
    f->exercise.param_count = PARAMS;
    f->exercise.cases = f->cases;
    f->exercise.case_count = 2;
    f->exercise.generated = &f->range;
    f->exercise.generated_range_count = 1;
    f->exercise.generated_count = 5;
    f->exercise.launch.grid[0] = parse("ceil_div(n, T)");
    f->exercise.launch.block[0] = parse("T");
    f->exercise.launch.shared = parse("T * 4");
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    expr_free(f->params[X].shape[0]);
    expr_free(f->params[X].shape[1]);
    expr_free(f->params[Y].shape[0]);
    expr_free(f->params[Y].tolerance.length);
    expr_free(f->exercise.launch.grid[0]);
    expr_free(f->exercise.launch.block[0]);
    expr_free(f->exercise.launch.shared);
    free(f);
    return 0;
}

static struct plan *make(struct fixture *f, uint64_t seed, const char *pattern) {
    struct plan *plan = NULL;
    struct error error = {0};
    if (plan_make(&f->exercise, seed, pattern, &plan, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return plan;
}

static enum status bind(struct fixture *f, const struct plan *plan, size_t index,
                        enum plan_side side, int64_t tile, uint64_t memory,
                        struct plan_launch *launch, struct error *error) {
    struct expr_name constant = {"T", tile};
    return plan_bind(plan, index, &f->exercise.launch, side, &constant, 1, memory, launch, error);
}

static void named_then_generated_cases(void **state) {
    struct plan *plan = make(*state, 1, NULL);
    assert_int_equal(plan->case_count, 7);
    assert_string_equal(plan->cases[0].name, "hundred");
    assert_string_equal(plan->cases[2].name, "generated-1");
    assert_int_equal(plan->group_totals[GROUP_GENERATED], 5);
    for (size_t i = 2; i < 7; i++)
        assert_in_range(plan->cases[i].sizes[0].value, 10, 20);
    plan_free(plan);
}

static void generated_sizes_follow_the_seed_only(void **state) {
    unsigned different = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct plan *all = make(*state, seed, NULL), *some = make(*state, seed, "generated-3"),
                    *other = make(*state, seed + 100, NULL);
        assert_int_equal(all->cases[4].sizes[0].value, some->cases[0].sizes[0].value);
        different += all->cases[4].sizes[0].value != other->cases[4].sizes[0].value;
        plan_free(all);
        plan_free(some);
        plan_free(other);
    }
    assert_true(different > 10);
}

static void pattern_selects_and_an_empty_selection_is_an_error(void **state) {
    struct fixture *f = *state;
    struct plan *plan = make(f, 1, "gen*");
    assert_int_equal(plan->case_count, 5);
    assert_int_equal(plan->group_totals[GROUP_BOUNDARY], 1);
    plan_free(plan);
    struct error error = {0};
    assert_int_equal(plan_make(&f->exercise, 1, "x*", &plan, &error), STATUS_INVALID);
    assert_non_null(strstr(error.hint, "hundred, one, generated-1"));
}

static void launch_is_evaluated_and_buffers_are_aligned(void **state) {
    struct fixture *f = *state;
    struct plan *plan = make(f, 1, NULL);
    struct plan_launch launch;
    assert_int_equal(bind(f, plan, 0, PLAN_SUBMISSION, 32, 1 << 20, &launch, NULL), STATUS_OK);
    assert_int_equal(launch.grid.x, 4);
    assert_int_equal(launch.block.x, 32);
    assert_int_equal(launch.block.z, 1);
    assert_int_equal(launch.shared_bytes, 128);
    assert_int_equal(launch.argument_count, 4);
    assert_int_equal(launch.arguments[X].count, 200);
    assert_int_equal(launch.arguments[X].shape[1], 2);
    assert_int_equal(launch.arguments[Y].data_offset, 1024); /* 800 bytes of x, rounded up */
    assert_true(launch.arguments[Y].uninitialized && !launch.arguments[X].uninitialized);
    assert_int_equal(launch.data_length, 1424);
    assert_int_equal(launch.lengths[Y], 101);
    assert_int_equal(launch.arguments[N].scalar, 100);
    plan_launch_free(&launch);
    plan_free(plan);
}

static void reference_gets_doubles_and_magnitudes(void **state) {
    struct fixture *f = *state;
    struct plan *plan = make(f, 1, NULL);
    struct plan_launch launch;
    assert_int_equal(bind(f, plan, 0, PLAN_REFERENCE, 32, 1 << 20, &launch, NULL), STATUS_OK);
    assert_int_equal(launch.argument_count, 5);
    assert_int_equal(launch.arguments[X].type, ELEMENT_f64);
    assert_int_equal(launch.magnitudes[Y], 4);
    assert_true(launch.magnitudes[X] == SIZE_MAX);
    assert_int_equal(launch.arguments[4].type, ELEMENT_f64);
    assert_int_equal(launch.arguments[4].count, 100);
    plan_launch_free(&launch);
    plan_free(plan);
}

static void both_sides_get_the_same_numbers(void **state) {
    struct fixture *f = *state;
    struct plan *plan = make(f, 99, NULL);
    struct plan_launch one, two;
    bind(f, plan, 0, PLAN_SUBMISSION, 32, 1 << 20, &one, NULL);
    bind(f, plan, 0, PLAN_REFERENCE, 64, 1 << 20, &two, NULL);
    char *a = mem_alloc(one.data_length), *b = mem_alloc(two.data_length);
    plan_fill(plan, 0, PLAN_SUBMISSION, &one, a);
    plan_fill(plan, 0, PLAN_REFERENCE, &two, b);
    for (size_t i = 0; i < 200; i++) {
        double value = element_to_double(ELEMENT_f32, a + one.arguments[X].data_offset, i);
        assert_true(value >= -1 && value < 1);
        assert_true(value == element_to_double(ELEMENT_f64, b + two.arguments[X].data_offset, i));
    }
    assert_int_equal(one.arguments[A].scalar, two.arguments[A].scalar);
    uint32_t first;
    memcpy(&first, a + one.arguments[Y].data_offset, 4);
    assert_int_equal(first, plan_poison(ELEMENT_f32));
    char *again = mem_alloc(one.data_length);
    memcpy(again, a, one.data_length);
    plan_fill_other_poison(plan, PLAN_SUBMISSION, &one, again);
    memcpy(&first, again + one.arguments[Y].data_offset, 4);
    assert_int_equal(first, plan_other_poison(ELEMENT_f32));
    assert_memory_equal(a + one.arguments[X].data_offset, again + one.arguments[X].data_offset,
                        800);
    free(again);
    free(a);
    free(b);
    plan_launch_free(&one);
    plan_launch_free(&two);
    plan_free(plan);
}

static void launches_that_no_device_accepts_are_named(void **state) {
    struct fixture *f = *state;
    struct plan *plan = make(f, 1, NULL);
    struct plan_launch launch;
    struct error error = {0};
    assert_int_equal(bind(f, plan, 0, PLAN_SUBMISSION, 2048, 1 << 20, &launch, &error),
                     STATUS_INVALID);
    assert_true(launch.illegal);
    assert_non_null(strstr(error.message, "block of (2048, 1, 1)"));
    assert_non_null(strstr(error.hint, "1024"));
    assert_int_equal(bind(f, plan, 0, PLAN_SUBMISSION, 0, 1 << 20, &launch, &error),
                     STATUS_INVALID);
    assert_false(launch.illegal); /* ceil_div by zero: an expression's error */
    assert_int_equal(bind(f, plan, 0, PLAN_SUBMISSION, -5, 1 << 20, &launch, &error),
                     STATUS_INVALID);
    plan_free(plan);
}

static void threads_of_a_block_are_counted_over_all_extents(void **state) {
    struct fixture *f = *state;
    struct plan *plan = make(f, 1, NULL);
    struct plan_launch launch;
    struct error error = {0};
    f->exercise.launch.block[1] = parse("T");
    assert_int_equal(bind(f, plan, 0, PLAN_SUBMISSION, 32, 1 << 20, &launch, &error), STATUS_OK);
    plan_launch_free(&launch);
    assert_int_equal(bind(f, plan, 0, PLAN_SUBMISSION, 33, 1 << 20, &launch, &error),
                     STATUS_INVALID);
    assert_non_null(strstr(error.message, "block of (33, 33, 1)"));
    expr_free(f->exercise.launch.block[1]);
    plan_free(plan);
}

static void memory_of_a_case_is_capped(void **state) {
    struct fixture *f = *state;
    struct plan_launch launch;
    struct error error = {0};
    struct plan *plan = make(f, 1, NULL);
    assert_int_equal(bind(f, plan, 0, PLAN_SUBMISSION, 32, 1423, &launch, &error), STATUS_INVALID);
    assert_non_null(strstr(error.message, "memory limit"));
    f->sizes[0].value = INT64_MAX / 2 + 1; /* times two is 2^63, times four bytes 0 modulo 2^64 */
    plan_free(plan);
    plan = make(f, 1, NULL);
    assert_int_equal(bind(f, plan, 0, PLAN_SUBMISSION, 32, UINT64_MAX, &launch, &error),
                     STATUS_INVALID);
    plan_free(plan);
}

static void constant_memory_is_the_submissions_and_holds_64_KiB(void **state) {
    struct fixture *f = *state;
    struct plan_launch launch;
    struct error error = {0};
    f->params[X].role = ROLE_IN;
    f->params[X].constant_memory = true;
    f->sizes[0].value = 8192; /* times two floats */
    struct plan *plan = make(f, 1, NULL);
    assert_int_equal(bind(f, plan, 0, PLAN_SUBMISSION, 32, 1 << 20, &launch, &error), STATUS_OK);
    assert_true(launch.arguments[X].constant);
    plan_launch_free(&launch);
    assert_int_equal(bind(f, plan, 0, PLAN_REFERENCE, 32, 1 << 20, &launch, &error), STATUS_OK);
    assert_false(launch.arguments[X].constant);
    plan_launch_free(&launch);
    plan_free(plan);
    f->sizes[0].value = 8193;
    plan = make(f, 1, NULL);
    assert_int_equal(bind(f, plan, 0, PLAN_SUBMISSION, 32, 1 << 20, &launch, &error),
                     STATUS_INVALID);
    assert_string_equal(error.message,
                        "x has 16386 elements, and constant memory holds at most 16384");
    plan_free(plan);
}

static void size_must_fit_its_type(void **state) {
    struct fixture *f = *state;
    f->params[N].type = ELEMENT_u8;
    f->sizes[0].value = 256;
    struct plan *plan = make(f, 1, NULL);
    struct plan_launch launch;
    struct error error = {0};
    assert_int_equal(bind(f, plan, 0, PLAN_SUBMISSION, 32, 1 << 20, &launch, &error),
                     STATUS_INVALID);
    assert_non_null(strstr(error.message, "does not fit"));
    plan_free(plan);
}

static void poison_is_finite(void **state) {
    (void)state;
    for (unsigned type = 0; type < ELEMENT_COUNT; type++) {
        uint64_t bits = plan_poison((enum element_type)type);
        uint64_t other = plan_other_poison((enum element_type)type);
        assert_true(isfinite(element_to_double((enum element_type)type, &bits, 0)));
        assert_true(isfinite(element_to_double((enum element_type)type, &other, 0)));
        for (unsigned i = 0; i < element_infos[type].bytes; i++)
            assert_true((bits >> 8 * i & 255) != (other >> 8 * i & 255));
    }
}

static void fills_stay_in_their_range(void **state) {
    (void)state;
    struct random random;
    random_start(&random, 3, (const char *const[]){"fills", NULL});
    int8_t bytes[1000];
    random_fill(&random, &(struct exercise_fill){FILL_UNIFORM, -3, 2}, ELEMENT_i8, bytes, 1000);
    unsigned seen[6] = {0};
    for (unsigned i = 0; i < 1000; i++) {
        assert_in_range(bytes[i] + 3, 0, 5);
        seen[bytes[i] + 3]++;
    }
    for (unsigned i = 0; i < 6; i++)
        assert_true(seen[i] > 100);
    float floats[1000];
    struct exercise_fill narrow = {FILL_UNIFORM, 1, 1 + 0x1p-22};
    random_fill(&random, &narrow, ELEMENT_f32, floats, 1000);
    for (unsigned i = 0; i < 1000; i++)
        assert_true((double)floats[i] >= narrow.low && (double)floats[i] < narrow.high);
    uint64_t words[64], any = 0;
    random_fill(&random, &(struct exercise_fill){FILL_UNIFORM, -1e30, 1e30}, ELEMENT_u64, words,
                64);
    for (unsigned i = 0; i < 64; i++)
        any |= words[i];
    assert_true(any == UINT64_MAX);
    random_fill(&random, &(struct exercise_fill){FILL_INTEGERS, -2, 2}, ELEMENT_f32, floats, 1000);
    for (unsigned i = 0; i < 1000; i++)
        assert_true(floats[i] == rintf(floats[i]) && fabsf(floats[i]) <= 2);
}

/* The values of both types are drawn from one stream alike: a report does not depend on which loop
 * filled the buffer. */
static void singles_are_doubles_rounded(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    struct exercise_fill fill = {FILL_UNIFORM, -3, 5};
    struct random random, again;
    random_start(&random, 4, (const char *const[]){"fills", NULL});
    again = random;
    float singles[COUNT];
    double doubles[COUNT];
    random_fill(&random, &fill, ELEMENT_f32, singles, COUNT);
    random_fill(&again, &fill, ELEMENT_f64, doubles, COUNT);
    for (unsigned i = 0; i < COUNT; i++)
        assert_true(singles[i] == (float)doubles[i]);
    assert_memory_equal(&random, &again, sizeof random);
}

/* Ranges of as many numbers as a power of two, of others, of one, and of all 64-bit words. */
static void integers_are_those_drawn_one_by_one(void **state) {
    (void)state;
    enum { COUNT = 200 };
    const struct exercise_fill fills[] = {{FILL_UNIFORM, 0, 255},
                                          {FILL_UNIFORM, 10, 16},
                                          {FILL_UNIFORM, 7, 7},
                                          {FILL_UNIFORM, 0, 0x1p64}};
    for (unsigned f = 0; f < ARRAY_LENGTH(fills); f++) {
        uint64_t words[COUNT], low = (uint64_t)fills[f].low;
        struct random random, again;
        random_start(&random, f, (const char *const[]){"fills", NULL});
        again = random;
        random_fill(&random, &fills[f], ELEMENT_u64, words, COUNT);
        uint64_t numbers = fills[f].high > 1e18 ? 0 : (uint64_t)fills[f].high - low + 1;
        for (unsigned i = 0; i < COUNT; i++) {
            uint64_t word = random_word(&again); /* one of 2^61 would be drawn again */
            assert_true(words[i] == (numbers ? low + word % numbers : word));
        }
    }
}

/* The first outputs of xoshiro256** from the state {1, 2, 3, 4}, as its authors' code gives them.
 */
static void generator_is_xoshiro256starstar(void **state) {
    (void)state;
    struct random random = {{1, 2, 3, 4}};
    assert_true(random_word(&random) == 11520);
    assert_true(random_word(&random) == 0);
    assert_true(random_word(&random) == 1509978240);
    assert_true(random_word(&random) == 1215971899390074240ull);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(named_then_generated_cases),
        TEST(generated_sizes_follow_the_seed_only),
        TEST(pattern_selects_and_an_empty_selection_is_an_error),
        TEST(launch_is_evaluated_and_buffers_are_aligned),
        TEST(reference_gets_doubles_and_magnitudes),
        TEST(both_sides_get_the_same_numbers),
        TEST(launches_that_no_device_accepts_are_named),
        TEST(threads_of_a_block_are_counted_over_all_extents),
        TEST(memory_of_a_case_is_capped),
        TEST(constant_memory_is_the_submissions_and_holds_64_KiB),
        TEST(size_must_fit_its_type),
        cmocka_unit_test(poison_is_finite),
        cmocka_unit_test(fills_stay_in_their_range),
        cmocka_unit_test(singles_are_doubles_rounded),
        cmocka_unit_test(integers_are_those_drawn_one_by_one),
        cmocka_unit_test(generator_is_xoshiro256starstar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
