/* Several attempts of a student's, over several runs: the course's terms of today hold for all of
 * them, also for those that this run did not ask a repository for. */
#include "tests/unit/batch/class_fixture.h"

#include <sqlite3.h>

enum { DAY = 86400 };

/* The fixture commits at 2023-11-14T22:13:20Z. */
#define IN_TIME                                                                                    \
    "course: C\nexercises: [dot]\noutput: out\nseed: 5\ndeadline: 2023-11-14T23:00:00Z\n"
#define LATE "late: {percent_a_day: 20}\n"
#define ADA  "students: [{id: ada, repository: ada}]\n"

static int64_t ask(const char *sql) {
    sqlite3 *database;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(in_folder("gradebook.sqlite"), &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return value;
}

static void run_course(const char *text) {
    write_file("COURSE.yaml", text);
    struct run run = run_batch(NULL, NULL);
    assert_int_equal(run.ran, STATUS_OK);
    free(run.summary);
}

/* In time 50 points, a day late 100, two days late 90: each found by a run of its own. */
static void three_attempts(const char *course) {
    student("ada", "score 50", NULL);
    run_course(course);
    commit_at("ada", "score 100", FIXTURE_TIME + DAY);
    run_course(course);
    commit_at("ada", "score 90", FIXTURE_TIME + 2 * DAY);
    run_course(course);
    assert_int_equal(judged, 3);
}

static void lose_repository(void) {
    assert_int_equal(rename(in_folder("ada"), in_folder("gone")), 0);
}

static void terms_reach_every_attempt(void **state) {
    (void)state;
    static const struct {
        const char *terms, *final;
    } rows[] = {
        {LATE "extensions: [{student: ada, by: 1d, reason: ill}]\n", "100"},
        {LATE, "80"}, /* taken back */
        {"late: {percent_a_day: 5}\n", "95"},
        {"late: {percent_a_day: 10, grace: 2d}\n", "100"},
        {"", "50"}, /* late work does not count */
        {"late: {percent_a_day: 20, max_days: 1}\n", "80"},
    };
    three_attempts(IN_TIME LATE ADA);
    assert_grade("ada", "dot", "final", "80");
    for (int gone = 0; gone < 2; gone++) { /* and again with a repository that cannot be read */
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
            cleanup_free char *course = mem_printf(IN_TIME "%s" ADA, rows[i].terms);
            run_course(course);
            assert_grade("ada", "dot", "final", rows[i].final);
            assert_grade("ada", "dot", "status", gone ? "unreadable" : "recorded");
        }
        if (!gone)
            lose_repository();
    }
    assert_int_equal(judged, 3);
    int64_t said = ask("SELECT count(*) FROM penalty");
    run_course(IN_TIME "late: {percent_a_day: 20, max_days: 1}\n" ADA);
    assert_int_equal(ask("SELECT count(*) FROM penalty"),
                     said); /* what is said is not said again */
}

/* Of those that count; none does, where all were too late. */
static void the_last_in_time_counts(void **state) {
    (void)state;
    three_attempts(IN_TIME LATE "attempts: {count: last}\n" ADA);
    assert_grade("ada", "dot", "final", "50");
    lose_repository();
    run_course(IN_TIME "late: {percent_a_day: 20, max_days: 1}\nattempts: {count: last}\n" ADA);
    assert_grade("ada", "dot", "final", "80");
    run_course(IN_TIME "attempts: {count: last}\n" ADA);
    assert_grade("ada", "dot", "final", "50");
    static const char before[] = "course: C\nexercises: [dot]\noutput: out\nseed: 5\n"
                                 "deadline: 2023-11-13T23:00:00Z\n";
    cleanup_free char *course = mem_printf("%s" ADA, before);
    run_course(course);
    assert_int_equal(ask("SELECT state = 'late' AND final = 0 AND message = 'after the deadline'"
                         " FROM grades"),
                     1);
}

/* Whoever is not graded in this run, too. */
static void terms_reach_those_who_are_not_read(void **state) {
    (void)state;
    student("ada", "score 90", NULL);
    student("bob", "score 80", NULL);
#define BOTH "students: [{id: ada, repository: ada}, {id: bob, repository: bob}]\n"
    run_course("course: C\nexercises: [dot]\noutput: out\nseed: 5\n"
               "deadline: 2023-11-14T22:00:00Z\n" LATE BOTH);
    assert_grade("ada", "dot", "final", "70");
    write_file("COURSE.yaml", "course: C\nexercises: [dot]\noutput: out\nseed: 5\n"
                              "deadline: 2023-11-14T22:00:00Z\nlate: {percent_a_day: 10}\n" BOTH);
    free(run_batch("bob", NULL).summary);
    assert_grade("ada", "dot", "final", "80");
    assert_grade("bob", "dot", "final", "70");
    write_file("COURSE.yaml", "course: C\nexercises: [dot]\noutput: out\nseed: 5\n"
                              "deadline: 2023-11-14T22:00:00Z\n" BOTH);
    free(run_batch("bob", NULL).summary);
    assert_grade("ada", "dot", "status", "late");
    assert_grade("ada", "dot", "message", "after the deadline");
}

/* A pin lets one commit count, not all of its student's; taken back, it is no more. */
static void a_pin_is_of_one_commit(void **state) {
    (void)state;
    three_attempts(IN_TIME LATE ADA);
    cleanup_free char *third = grade_of("ada", "dot", "commit");
    cleanup_free char *pinned = mem_printf(
        IN_TIME "pins: [{student: ada, exercise: dot, commit: %s, reason: asked}]\n" ADA, third);
    run_course(pinned);
    assert_grade("ada", "dot", "final", "90");
    assert_int_equal(ask("SELECT count(*) FROM standing WHERE excluded = 'after the deadline'"), 1);
    lose_repository();
    run_course(IN_TIME ADA);
    assert_grade("ada", "dot", "final", "50");
    assert_int_equal(ask("SELECT count(*) FROM standing WHERE excluded = 'after the deadline'"), 2);
}

/* Shares of the points are of the points as they are, not as they are shown: a second run says the
 * same. A copy of the bytes has the same points, to the last bit. */
static void a_second_run_says_the_same(void **state) {
    (void)state;
    student("ada", "score 66.6666666", NULL);
    static const char course[] = "course: C\nexercises: [dot]\noutput: out\nseed: 5\n"
                                 "deadline: 2023-11-14T22:00:00Z\nlate: {percent_a_day: 7}\n";
    cleanup_free char *alone = mem_printf("%s" ADA, course);
    run_course(alone);
    run_course(alone);
    assert_int_equal(ask("SELECT count(*) FROM penalty"), 1);
    assert_grade("ada", "dot", "final", "59.66");
    student("bob", "score 66.6666666", NULL);
    cleanup_free char *both = mem_printf("%s" BOTH, course);
    run_course(both);
    assert_int_equal(judged, 1);
    assert_int_equal(ask("SELECT count(DISTINCT score) FROM grading"), 1);
    assert_int_equal(ask("SELECT count(DISTINCT percent) FROM penalty"), 1);
}

/* With a limit the first files count, whichever a run came to know first. */
static void a_limit_counts_by_the_date(void **state) {
    (void)state;
    three_attempts(IN_TIME LATE "attempts: {limit: 2}\n" ADA);
    assert_int_equal(ask("SELECT count(*) FROM standing WHERE excluded LIKE 'over the limit%'"), 1);
    student("eve", "score 20", NULL);
    commit_at("eve", "score 90", FIXTURE_TIME + DAY);
    commit_at("eve", "score 40", FIXTURE_TIME + 2 * DAY);
#define EVE "students: [{id: eve, repository: eve}]\n"
    run_course(IN_TIME LATE "attempts: {limit: 2}\n" EVE); /* the first and the third */
    run_course(IN_TIME LATE "attempts: {limit: 2}\nextensions: [{student: eve, by: 1d}]\n" EVE);
    assert_int_equal(ask("SELECT final FROM grades WHERE student = 'eve'"), 90);
    assert_int_equal(ask("SELECT number FROM attempt_result WHERE student = 'eve'"
                         " ORDER BY attempt DESC LIMIT 1"),
                     2);
}

static void assert_says(const char *name, const char *what, bool there) {
    cleanup_free char *text = read_text(name);
    if (!strstr(text, what) == there)
        fail_msg("%s\n%s \"%s\"", text, there ? "without" : "with", what);
}

/* The class report is about the attempt that counts, not about the one that came last. */
static void the_class_is_shown_what_counts(void **state) {
    (void)state;
    three_attempts(IN_TIME LATE "attempts: {limit: 1}\n" ADA);
    assert_says("out/ada/summary.txt", "50 of 100 points", true);
    assert_says("out/ada/summary.txt", "taken off", false);
    assert_says("out/ada/summary.txt", "2023-11-14", true);
    assert_says("out/ada/summary.txt", "3 (limit 1)", true);
    assert_says("out/class.json", "\"late_seconds\": 0", true);
}

/* A server that is down for a night takes no grade and no report from anybody. */
static void a_lost_repository_keeps_its_grade(void **state) {
    (void)state;
    three_attempts(IN_TIME LATE ADA);
    lose_repository();
    struct run run = run_batch(NULL, NULL);
    assert_non_null(strstr(run.summary, "1 of those that were not graded keeps the grade"));
    free(run.summary);
    assert_grade("ada", "dot", "status", "unreadable");
    assert_grade("ada", "dot", "final", "80");
    assert_true(file_exists(in_folder("out/ada/dot.html")));
    assert_says("out/ada/summary.txt", "80 of 100 points", true);
    assert_says("out/ada/summary.txt", "No grade", false);
    assert_says("out/ada/summary.txt", "an earlier attempt counts", true);
    assert_says("out/class.json", "earlier-attempt", true);
    assert_says("out/junit.xml", "errors=\"0\"", true);
}

/* The file in time may be worth more than the late one: where it cannot be judged, that is said,
 * and the next run judges it. */
static void a_file_in_time_is_not_forgotten(void **state) {
    (void)state;
    student("ada", "environment", NULL);
    student("bob", "score 80", NULL);
    commit_at("ada", "score 70", FIXTURE_TIME + DAY);
    write_file("COURSE.yaml",
               IN_TIME LATE "students: [{id: ada, repository: ada}, {id: bob, repository: bob}]\n");
    struct run run = run_batch(NULL, NULL);
    assert_int_equal(run.ran, STATUS_OK);
    assert_int_equal(run.exit, STATUS_BELOW_MARK);
    assert_non_null(strstr(run.summary, "the file in time (commit "));
    assert_non_null(strstr(run.summary, "could not be judged: no NVRTC here"));
    free(run.summary);
    assert_grade("ada", "dot", "status", "unjudged");
    assert_grade("ada", "dot", "final", "50");
    size_t before = judged;
    free(run_batch(NULL, NULL).summary);
    assert_true(judged > before);
    assert_grade("ada", "dot", "status", "unjudged");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(terms_reach_every_attempt),          TEST(the_last_in_time_counts),
        TEST(terms_reach_those_who_are_not_read), TEST(a_pin_is_of_one_commit),
        TEST(a_second_run_says_the_same),         TEST(a_limit_counts_by_the_date),
        TEST(a_file_in_time_is_not_forgotten),    TEST(the_class_is_shown_what_counts),
        TEST(a_lost_repository_keeps_its_grade),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
