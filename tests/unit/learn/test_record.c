/* The student's own record: what is written is read back, damage costs a line, and nothing that
 * happens to it stops anything. */
#include "grader/learn/record.h"
#include "grader/learn/since.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/warpgrade-record-XXXXXX";

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    cleanup_free char *command = mem_printf("rm -rf %s", folder);
    return system(command);
}

#define CASES(...)                                                                                 \
    (struct learn_case[]){__VA_ARGS__},                                                            \
        sizeof((struct learn_case[]){__VA_ARGS__}) / sizeof(struct learn_case)

static struct learn_attempt attempt_with(double score, char hash, struct learn_case *cases,
                                         size_t count) {
    struct learn_attempt attempt = {.time = 1700000000,
                                    .file = (char *)"/home/ada/saxpy.cu",
                                    .score = score,
                                    .max_score = 100,
                                    .passed = score >= 60,
                                    .verdict = score < 100 ? VERDICT_WRONG_ANSWER : VERDICT_PASS,
                                    .cases = cases,
                                    .case_count = count};
    memset(attempt.sha256, hash, 64);
    return attempt;
}

static char *path_of(const char *exercise) {
    return mem_printf("%s/%s.jsonl", folder, exercise);
}

static void test_round_trip(void **state) {
    (void)state;
    struct learn_attempt first = attempt_with(
        55, 'a', CASES({(char *)"one", VERDICT_PASS}, {(char *)"tail", VERDICT_HAZARD}));
    first.hazards[HAZARD_OUT_OF_BOUNDS] = true;
    first.missed = 5;
    struct learn_attempt second = attempt_with(
        100, 'b', CASES({(char *)"one", VERDICT_PASS}, {(char *)"tail", VERDICT_PASS}));
    assert_true(learn_append(folder, "saxpy", &first));
    assert_true(learn_append_hint(folder, "saxpy", "hint-0"));
    assert_true(learn_append(folder, "saxpy", &second));
    assert_true(learn_append(folder, "saxpy", &second)); /* says the same: not kept twice */
    struct learn_record record;
    learn_read(folder, "saxpy", &record);
    assert_int_equal(record.count, 2);
    assert_int_equal(record.hint_count, 1);
    assert_string_equal(record.hints[0], "hint-0");
    assert_string_equal(record.attempts[0].file, "/home/ada/saxpy.cu");
    assert_int_equal(record.attempts[0].verdict, VERDICT_WRONG_ANSWER);
    assert_int_equal(record.attempts[0].cases[1].verdict, VERDICT_HAZARD);
    assert_true(record.attempts[0].hazards[HAZARD_OUT_OF_BOUNDS]);
    assert_false(record.attempts[1].hazards[HAZARD_OUT_OF_BOUNDS]);
    assert_int_equal(record.attempts[0].missed, 5);
    assert_true(learn_has_passed(&record));
    assert_true(learn_has_full_marks(&record));
    assert_ptr_equal(learn_best(&record), &record.attempts[1]);
    learn_record_free(&record);
}

/* A line cut short by a crash, bytes that are no text, values that are none. */
static void test_damage_costs_a_line(void **state) {
    (void)state;
    static const char damaged[] =
        "{\"score\":1}\n\xff\xfe\0garbage\n[1,2]\n"
        "{\"time\":1,\"sha256\":\"short\",\"score\":5,\"max_score\":10,\"verdict\":\"pass\"}\n"
        "{\"time\":1,\"score\":1e400}\n{\"time\":1699,\"file\":\"/home/ad";
    cleanup_free char *path = path_of("dot");
    assert_int_equal(file_write(path, damaged, sizeof damaged - 1, NULL), STATUS_OK);
    struct learn_attempt attempt = attempt_with(10, 'c', CASES({(char *)"one", VERDICT_CRASH}));
    assert_true(learn_append(folder, "dot", &attempt));
    struct learn_record record;
    learn_read(folder, "dot", &record);
    assert_int_equal(record.count, 1);
    assert_int_equal(record.attempts[0].score, 10);
    learn_record_free(&record);
}

static void test_nothing_can_be_kept(void **state) {
    (void)state;
    struct learn_attempt attempt = attempt_with(10, 'd', CASES({(char *)"one", VERDICT_PASS}));
    struct learn_record record;
    cleanup_free char *path = path_of("fifo");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(learn_append(folder, "fifo", &attempt));
    assert_false(learn_append("/proc/no/such/place", "dot", &attempt));
    assert_false(learn_append(folder, "../escape", &attempt));
    assert_false(learn_append(NULL, "dot", &attempt));
    learn_read("/proc/no/such/place", "dot", &record);
    assert_int_equal(record.count, 0);
    learn_record_free(&record);
}

static void expect_folder(const char *expected) {
    cleanup_free char *found = learn_folder();
    if (expected)
        assert_string_equal(found, expected);
    else
        assert_null(found);
}

static void test_where(void **state) {
    (void)state;
    unsetenv("WARPGRADE_NO_RECORD");
    setenv("HOME", "/home/ada", 1);
    setenv("XDG_DATA_HOME", "relative", 1);
    expect_folder("/home/ada/.local/share/warpgrade/attempts");
    setenv("XDG_DATA_HOME", "/data", 1);
    expect_folder("/data/warpgrade/attempts");
    setenv("WARPGRADE_NO_RECORD", "1", 1);
    expect_folder(NULL);
    setenv("CI", "true", 1);
    assert_false(learn_may_write());
    setenv("CI", "false", 1);
    assert_true(learn_may_write());
}

static void expect_since(const struct learn_attempt *before, const struct learn_attempt *after,
                         enum language language, const char *expected) {
    cleanup_text struct text out = {0};
    learn_append_since(before, after, language, &out);
    assert_string_equal(text_string(&out), expected);
}

static void test_since(void **state) {
    (void)state;
    struct learn_attempt before =
        attempt_with(40, 'a',
                     CASES({(char *)"a", VERDICT_HAZARD}, {(char *)"b", VERDICT_CRASH},
                           {(char *)"c", VERDICT_PASS}, {(char *)"d", VERDICT_CRASH},
                           {(char *)"e", VERDICT_CRASH}, {(char *)"f", VERDICT_SKIPPED}));
    struct learn_attempt after =
        attempt_with(60.5, 'b',
                     CASES({(char *)"a", VERDICT_PASS}, {(char *)"b", VERDICT_PASS},
                           {(char *)"c", VERDICT_WRONG_ANSWER}, {(char *)"new", VERDICT_PASS},
                           {(char *)"d", VERDICT_CRASH}, {(char *)"f", VERDICT_SKIPPED}));
    expect_since(&before, &after, LANGUAGE_EN, "+20.5 points; a and b pass now; c fails now");
    expect_since(&after, &before, LANGUAGE_EN, "-20.5 points; c passes now; a and b fail now");
    expect_since(&before, &after, LANGUAGE_ZH, "+20.5 分；a、b 现在通过了；c 现在不通过了");
    expect_since(&before, &before, LANGUAGE_EN, "nothing, and the file is the same");
    struct learn_attempt all =
        attempt_with(100, 'c',
                     CASES({(char *)"a", VERDICT_PASS}, {(char *)"b", VERDICT_PASS},
                           {(char *)"c", VERDICT_PASS}, {(char *)"d", VERDICT_PASS},
                           {(char *)"g", VERDICT_PASS}, {(char *)"f", VERDICT_PASS}));
    expect_since(&before, &all, LANGUAGE_EN, "+60 points; every case passes now");
    all.cases[2].verdict = VERDICT_CRASH;
    expect_since(&before, &all, LANGUAGE_EN,
                 "+60 points; a, b, d and 1 more pass now; c fails now");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_damage_costs_a_line),
        cmocka_unit_test(test_nothing_can_be_kept),
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_since),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
