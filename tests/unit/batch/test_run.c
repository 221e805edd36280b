/* What a run of a batch judges and what it does not, and deadlines. */
#include "tests/unit/batch/class_fixture.h"

static void the_same_bytes_are_judged_once(void **state) {
    (void)state;
    student("ada", "score 90", "score 80");
    student("bob", "score 90", "score 70");
    student("eve", "score 90", "score 80");
    write_file("COURSE.yaml", COURSE "students:\n  - {id: ada, repository: ada}\n"
                                     "  - {id: bob, repository: bob}\n"
                                     "  - {id: eve, repository: eve}\n");
    struct run run = run_with((struct batch_options){.jobs = 2});
    assert_non_null(strstr(run.summary, "6 of 6 submissions graded"));
    free(run.summary);
    assert_int_equal(judged, 3);
    assert_grade("eve", "dot", "score", "90");
    assert_grade("eve", "saxpy", "final", "80");
    /* each one's report is his own */
    cleanup_free char *json = read_text("out/eve/dot.json");
    assert_non_null(strstr(json, "eve/dot.cu"));
    assert_null(strstr(json, "ada"));
}

/* A second run looks and judges nothing; it writes the same. */
static void what_is_graded_is_not_judged_again(void **state) {
    (void)state;
    student("ada", "score 90", "score 80");
    student("bob", "score 60", NULL);
    write_file("COURSE.yaml", COURSE "students:\n  - {id: ada, repository: ada}\n"
                                     "  - {id: bob, repository: bob}\n");
    free(run_batch(NULL, NULL).summary);
    assert_int_equal(judged, 3);
    cleanup_free char *junit = read_text("out/junit.xml");
    assert_int_equal(unlink(in_folder("out/ada/dot.html")), 0);
    struct run run = run_batch(NULL, NULL);
    assert_non_null(strstr(run.summary, "0 of 4 submissions graded, 3 recorded, 1 not-submitted"));
    free(run.summary);
    assert_int_equal(judged, 3);
    assert_grade("ada", "dot", "status", "recorded");
    assert_grade("ada", "dot", "attempts", "1");
    assert_true(file_exists(in_folder("out/ada/dot.html"))); /* what was lost is there again */
    cleanup_free char *again = read_text("out/junit.xml");
    assert_string_equal(junit, again);
    /* a new commit that does not touch the file is no new attempt; one that does is */
    commit_again("ada", &(struct fixture_file){"dot.cu", "score 100"});
    free(run_batch(NULL, NULL).summary);
    assert_int_equal(judged, 4);
    assert_grade("ada", "dot", "attempts", "2");
    free(run_with((struct batch_options){.all = true}).summary);
    assert_int_equal(judged, 6); /* ada's saxpy.cu is gone */
    assert_grade("ada", "dot", "attempts", "2");
}

static void since_a_moment(void **state) {
    (void)state;
    student("ada", "score 90", NULL);
    write_file("COURSE.yaml", COURSE "students: [{id: ada, repository: ada}]\n");
    free(run_with((struct batch_options){.since = "2023-11-15"}).summary);
    assert_int_equal(judged, 0);
    assert_grade("ada", "dot", "status", "not-graded");
    free(run_with((struct batch_options){.since = "2023-11-14"}).summary);
    assert_int_equal(judged, 1);
}

/* What a worker that was killed from outside could not judge is judged once more. */
static void a_killed_worker_costs_nothing(void **state) {
    (void)state;
    student("ada", "killed 70", "score 100");
    write_file("COURSE.yaml", COURSE "students: [{id: ada, repository: ada}]\n");
    struct run run = run_batch(NULL, NULL);
    assert_int_equal(run.exit, STATUS_OK);
    free(run.summary);
    assert_grade("ada", "dot", "score", "70");
}

/* ---- deadlines ---------------------------------------------------------------------------- */

/* The fixture commits at 2023-11-14T22:13:20Z. */
#define LATE(terms)                                                                                \
    COURSE terms "students:\n  - {id: ada, repository: ada, mail: a@b.org}\n"                      \
                 "  - {id: bob, repository: bob}\n"

static void late_work(void **state) {
    (void)state;
    student("ada", "score 90", "score 80");
    student("bob", "score 90", "score 60");
    write_file("COURSE.yaml", LATE("deadlines: {dot: 2023-11-13T23:00:00Z}\n"));
    free(run_batch(NULL, NULL).summary);
    assert_grade("ada", "dot", "status", "late");
    assert_grade("ada", "dot", "state", "late");
    assert_grade("ada", "dot", "final", "");
    assert_grade("ada", "saxpy", "state", "in-time");
    assert_int_equal(judged, 2);
    write_file("COURSE.yaml", LATE("deadlines: {dot: 2023-11-13T23:00:00Z}\n"
                                   "late: {percent_a_day: 10}\n"
                                   "extensions:\n"
                                   "  - {student: bob, exercise: dot, by: 2d, reason: ill}\n"));
    free(run_batch(NULL, NULL).summary);
    assert_int_equal(judged, 3); /* the same bytes */
    assert_grade("ada", "dot", "state", "late");
    assert_grade("ada", "dot", "score", "90");
    assert_grade("ada", "dot", "penalty", "10");
    assert_grade("ada", "dot", "final", "80");
    assert_grade("ada", "dot", "penalty_reason", "1 day late, 10 % a day");
    assert_grade("ada", "dot", "mail", "a@b.org");
    assert_grade("bob", "dot", "state", "in-time");
    assert_grade("bob", "dot", "final", "90");
    cleanup_free char *totals = read_text("out/totals.csv");
    assert_non_null(strstr(totals, "\r\n\"ada\",\"ada\",80,160,200,2,0,80,80,"));
    /* granted later: the penalty goes, and nothing is judged */
    write_file("COURSE.yaml", LATE("deadlines: {dot: 2023-11-15T23:00:00Z}\n"
                                   "late: {percent_a_day: 10}\n"));
    free(run_batch(NULL, NULL).summary);
    assert_int_equal(judged, 3);
    assert_grade("ada", "dot", "final", "90");
}

/* A file in time and a better one after it: what counts is the better one after its penalty. */
static void in_time_and_late(void **state) {
    (void)state;
    student("ada", "score 50", NULL);
    commit_at("ada", "score 100", FIXTURE_TIME + 86400);
    student("bob", "score 95", NULL);
    commit_at("bob", "score 100", FIXTURE_TIME + 86400);
    static const char *const counts[] = {"best", "last"};
    for (int i = 0; i < 2; i++) {
        cleanup_free char *course =
            mem_printf(LATE("deadlines: {dot: 2023-11-14T23:00:00Z}\nlate: {percent_a_day: 20}\n"
                            "attempts: {count: %s}\n"),
                       counts[i]);
        write_file("COURSE.yaml", course);
        free(run_batch(NULL, NULL).summary);
        assert_grade("ada", "dot", "final", "80");
        assert_grade("ada", "dot", "penalty", "20");
        assert_grade("bob", "dot", "final", i == 0 ? "95" : "80");
        cleanup_free char *json = read_text("out/bob/dot.json"); /* of what counts */
        assert_non_null(strstr(json, i == 0 ? "\"score\": 95" : "\"score\": 100"));
    }
    assert_int_equal(judged, 3);
}

static void hidden_cases(void **state) {
    (void)state;
    student("ada", "score 50", "score 100");
    write_file("COURSE.yaml", COURSE "visibility: {hide: [one]}\n"
                                     "students: [{id: ada, repository: ada}]\n");
    free(run_batch(NULL, NULL).summary);
    cleanup_free char *json = read_text("out/ada/dot.json");
    assert_non_null(strstr(json, "\"hidden-1\""));
    assert_null(strstr(json, "\"one\""));
    assert_null(strstr(json, "=1+1 is a message"));
    assert_non_null(strstr(json, "\"score\": 50"));
    cleanup_free char *summary = read_text("out/ada/summary.txt");
    assert_null(strstr(summary, "one"));
    assert_null(strstr(summary, "=1+1 is a message"));
    /* the gradebook has all of it */
    struct gradebook *book;
    struct gradebook_row row;
    char *report;
    size_t length;
    assert_int_equal(gradebook_open(in_folder("gradebook.sqlite"), &book, NULL), STATUS_OK);
    assert_int_equal(gradebook_find(book, "ada", "dot", GRADEBOOK_COUNTED, &row, NULL), STATUS_OK);
    assert_int_equal(gradebook_report(book, row.grading, &report, &length, NULL), STATUS_OK);
    assert_non_null(strstr(report, "\"one\""));
    free(report);
    gradebook_close(book);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_same_bytes_are_judged_once),
        TEST(what_is_graded_is_not_judged_again),
        TEST(since_a_moment),
        TEST(a_killed_worker_costs_nothing),
        TEST(late_work),
        TEST(in_time_and_late),
        TEST(hidden_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
