/* What a grade is: which attempt counts, penalties, overrides, totals; and what a second run over
 * an unchanged class asks. */
#include "tests/unit/gradebook/book.h"

#include "grader/gradebook/gradebook_private.h"
#include "grader/gradebook/inspect.h"

static void must(enum status status, const struct error *error) {
    if (status != STATUS_OK)
        fail_msg("%s", error->message);
}

static struct gradebook_exercise exercise_of(const char *id, enum gradebook_counts counts,
                                             unsigned limit) {
    return (struct gradebook_exercise){.id = id,
                                       .weight = 1,
                                       .max_score = 10,
                                       .version = "bb",
                                       .counts = counts,
                                       .attempt_limit = limit};
}

static struct gradebook *course_of(enum gradebook_counts counts, unsigned limit) {
    struct error error;
    struct gradebook *book = open_book();
    static const struct gradebook_field fields[] = {{"mail", "a@x"}, {"matric", "0017"}};
    const struct gradebook_student students[] = {
        {.id = "zoe", .name = "Zoe", .fields = fields, .field_count = 2},
        {.id = "ada", .name = "Ada", .section = "B"}};
    struct gradebook_exercise exercises[] = {exercise_of("sum", counts, limit),
                                             exercise_of("dot", counts, limit)};
    exercises[1].weight = 3;
    must(gradebook_sync_students(book, students, 2, &error), &error);
    must(gradebook_sync_exercises(book, exercises, 2, &error), &error);
    return book;
}

static struct gradebook_attempt file_of(const char *commit, const char *file, double score) {
    struct gradebook_attempt attempt = attempt_of("ada", commit, score);
    attempt.submission_sha256 = file;
    return attempt;
}

static void assert_counts(struct gradebook *book, const char *commit, double final) {
    struct gradebook_row row;
    struct error error;
    must(gradebook_find(book, "ada", "dot", GRADEBOOK_COUNTED, &row, &error), &error);
    assert_string_equal(row.commit, commit);
    if (row.final != final)
        fail_msg("%.17g instead of %.17g", row.final, final);
    struct gradebook_grades grades;
    const struct gradebook_filter filter = {.student = "ada", .exercise = "dot"};
    must(gradebook_grades(book, &filter, &grades, &error), &error);
    assert_int_equal(grades.count, 1);
    assert_true(grades.rows[0].final == final);
    gradebook_grades_free(&grades);
}

static void store_three(struct gradebook *book) {
    const struct gradebook_attempt attempts[] = {file_of("c1", "f1", 5), file_of("c2", "f2", 9),
                                                 file_of("c3", "f3", 7)};
    for (int i = 0; i < 3; i++)
        store(book, &attempts[i]);
}

static void the_best_counts(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_BEST, 0);
    store_three(book);
    assert_counts(book, "c2", 9);
    gradebook_close(book);
}

/* Which was judged first is chance. */
static void of_equals_the_first_by_its_date_counts(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_BEST, 0);
    struct gradebook_attempt attempts[] = {file_of("c2", "f2", 5), file_of("c1", "f1", 5)};
    attempts[0].committed_at = 2000;
    for (int i = 0; i < 2; i++)
        store(book, &attempts[i]);
    assert_counts(book, "c1", 5);
    gradebook_close(book);
}

static void the_last_counts(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_LAST, 0);
    store_three(book);
    assert_counts(book, "c3", 7);
    /* The branch goes back to what is graded already. */
    struct error error;
    const struct gradebook_confirmation confirm = {.attempt = 1, .at = 9};
    must(gradebook_confirm(book, &confirm, &error), &error);
    assert_counts(book, "c1", 5);
    gradebook_close(book);
}

static void a_limit_counts_files(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_BEST, 2);
    struct gradebook_attempt attempts[] = {
        file_of("c1", "f1", 5), file_of("c2", "f1", 5), /* a commit for another exercise */
        file_of("c3", "f2", 6), file_of("c4", "f3", 9)};
    for (int i = 0; i < 4; i++)
        store(book, &attempts[i]);
    assert_counts(book, "c3", 6);
    /* The course corrects the exercise: everybody is graded again, which uses up nothing. */
    attempts[2].exercise_version = "cc";
    attempts[2].score = 4;
    store(book, &attempts[2]);
    assert_counts(book, "c1", 5);
    gradebook_close(book);
}

/* Runs may come to know commits in another order than they were made in. */
static void a_limit_counts_by_the_date(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_BEST, 2);
    struct gradebook_attempt attempts[] = {file_of("c3", "f3", 9), file_of("c1", "f1", 5),
                                           file_of("c2", "f2", 6), file_of("c4", "f1", 5)};
    static const int64_t dates[] = {3000, 1000, 2000, 4000};
    for (int i = 0; i < 4; i++) {
        attempts[i].committed_at = dates[i];
        store(book, &attempts[i]);
    }
    assert_counts(book, "c2", 6);
    gradebook_close(book);
    assert_int_equal(ask("SELECT group_concat(number, '') = '3121' FROM (SELECT number"
                         " FROM attempt_result ORDER BY attempt)"),
                     1);
}

static void what_came_too_late_does_not_count(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_LAST, 0);
    struct gradebook_attempt attempt = file_of("c1", "f1", 5);
    attempt.penalty = (struct gradebook_penalty){
        .percent = 100, .too_late = true, .reason = "after the deadline"};
    store(book, &attempt);
    struct gradebook_grades grades;
    const struct gradebook_filter filter = {.student = "ada", .exercise = "dot"};
    struct error error;
    must(gradebook_grades(book, &filter, &grades, &error), &error);
    assert_string_equal(grades.rows[0].state, "late");
    assert_string_equal(grades.rows[0].message, "after the deadline");
    assert_true(!grades.rows[0].has_points && grades.rows[0].final == 0);
    gradebook_grades_free(&grades);
    struct gradebook_attempt before = file_of("c0", "f0", 4);
    store(book, &before);
    attempt.graded_at++;
    store(book, &attempt); /* handed in again */
    assert_counts(book, "c0", 4);
    gradebook_close(book);
}

static void a_pinned_commit_counts(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_BEST, 1);
    store_three(book);
    struct error error;
    const struct gradebook_confirmation pin = {.attempt = 3, .at = 9, .pinned = true};
    must(gradebook_confirm(book, &pin, &error), &error);
    assert_counts(book, "c3", 7);
    const struct gradebook_confirmation free_again = {.attempt = 3, .at = 10};
    must(gradebook_confirm(book, &free_again, &error), &error);
    assert_counts(book, "c1", 5);
    const struct gradebook_exercise no_limit[] = {exercise_of("dot", GRADEBOOK_COUNTS_BEST, 0)};
    must(gradebook_sync_exercises(book, no_limit, 1, &error), &error);
    assert_counts(book, "c2", 9);
    must(gradebook_confirm(book, &pin, &error), &error);
    assert_counts(book, "c3", 7); /* not the best */
    gradebook_close(book);
}

static void a_penalty_can_change(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_BEST, 0);
    store_three(book);
    struct gradebook_attempt late = file_of("c4", "f4", 10);
    late.penalty = (struct gradebook_penalty){.percent = 30, .days_late = 3, .reason = "3 days"};
    store(book, &late);
    assert_counts(book, "c2", 9);
    struct error error;
    struct gradebook_dates dates;
    must(gradebook_dates(book, &dates, &error), &error);
    assert_int_equal(dates.count, 4);
    assert_string_equal(dates.rows[3].penalty.reason, "3 days");
    dates.rows[3].penalty.percent = 7;
    for (int i = 0; i < 2; i++)
        must(gradebook_penalise(book, &dates, 0, 5, &error), &error);
    gradebook_dates_free(&dates);
    assert_counts(book, "c4", 9.3);
    gradebook_close(book);
    assert_int_equal(ask("SELECT count(*) FROM penalty"), 2); /* what is said is not said again */
    assert_int_equal(ask("SELECT count(*) FROM choice"), 4);
}

/* What is shown adds up: two thirds of the points are 6.66, and a third of them taken off
 * leaves 4.44. */
static void what_is_shown_adds_up(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_BEST, 0);
    struct gradebook_attempt attempt = file_of("c1", "f1", 20 / 3.0);
    attempt.penalty = (struct gradebook_penalty){.percent = 100 / 3.0, .reason = "late"};
    store(book, &attempt);
    attempt.exercise = "sum";
    store(book, &attempt);
    struct gradebook_row row;
    struct gradebook_totals totals;
    struct error error;
    must(gradebook_find(book, "ada", "dot", GRADEBOOK_COUNTED, &row, &error), &error);
    assert_true(row.score == 6.66 && row.final == 4.44 && row.penalty == 2.22);
    must(gradebook_totals(book, &totals, &error), &error);
    assert_true(totals.rows[1].points == 8.88);
    gradebook_totals_free(&totals);
    gradebook_close(book);
}

static void an_override_replaces_until_it_is_withdrawn(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_BEST, 0);
    store_three(book);
    struct error error;
    struct gradebook_override override = {
        .student = "ada", .exercise = "dot", .value = 6.5, .who = "me", .why = "oral exam"};
    must(gradebook_override(book, &override, &error), &error);
    assert_counts(book, "c2", 6.5);
    override.is_percent = true;
    override.value = 80;
    must(gradebook_override(book, &override, &error), &error);
    assert_counts(book, "c2", 8);
    struct gradebook_row row;
    must(gradebook_find(book, "ada", "dot", GRADEBOOK_COUNTED, &row, &error), &error);
    assert_true(row.has_override && row.score == 9);
    assert_string_equal(row.override, "me: oral exam");
    must(gradebook_withdraw(book, &override, &error), &error);
    assert_counts(book, "c2", 6.5);
    must(gradebook_withdraw(book, &override, &error), &error);
    assert_counts(book, "c2", 9);
    assert_int_equal(gradebook_withdraw(book, &override, &error), STATUS_INVALID);
    assert_non_null(strstr(error.message, "no override"));
    gradebook_close(book);
}

static void wrong_overrides_are_refused(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_BEST, 0);
    struct error error;
    const struct gradebook_override good = {
        .student = "zoe", .exercise = "dot", .value = 6, .who = "me", .why = "oral exam"};
    struct gradebook_override bad = good;
    bad.student = "zoee";
    assert_int_equal(gradebook_override(book, &bad, &error), STATUS_INVALID);
    assert_string_equal(error.hint, "did you mean zoe?");
    bad = good;
    bad.exercise = "dto";
    assert_int_equal(gradebook_override(book, &bad, &error), STATUS_INVALID);
    assert_string_equal(error.hint, "did you mean dot?");
    bad = good;
    bad.why = "";
    assert_int_equal(gradebook_override(book, &bad, &error), STATUS_INVALID);
    bad = good;
    bad.value = -1;
    assert_int_equal(gradebook_override(book, &bad, &error), STATUS_INVALID);
    bad.value = __builtin_nan("");
    assert_int_equal(gradebook_override(book, &bad, &error), STATUS_INVALID);
    gradebook_close(book);
    assert_int_equal(ask("SELECT count(*) FROM override"), 0);
}

static void totals_are_the_sum_of_grades(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_BEST, 0);
    store_three(book);
    struct error error;
    struct gradebook_totals totals;
    must(gradebook_totals(book, &totals, &error), &error);
    assert_int_equal(totals.count, 2);
    assert_string_equal(totals.rows[0].student, "zoe"); /* the roster's order */
    assert_true(totals.rows[0].points == 0 && totals.rows[0].missing == 2);
    assert_true(totals.rows[1].points == 9 && totals.rows[1].max_score == 20);
    assert_true(totals.rows[1].percent == 67.5); /* (1 * 0 + 3 * 90) / 4 */
    assert_int_equal(totals.rows[1].graded, 1);
    gradebook_totals_free(&totals);
    /* A student leaves: not forgotten, and not in the class. */
    const struct gradebook_student stays = {.id = "zoe", .name = "Zoe"};
    must(gradebook_sync_students(book, &stays, 1, &error), &error);
    must(gradebook_totals(book, &totals, &error), &error);
    assert_int_equal(totals.count, 1);
    gradebook_totals_free(&totals);
    gradebook_close(book);
    assert_int_equal(ask("SELECT count(*) FROM grades WHERE student = 'ada'"), 2);
    assert_int_equal(ask("SELECT count(*) FROM student_field"), 0);
}

static void says_why_there_is_nothing(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_BEST, 0);
    struct error error;
    struct gradebook_absence absence = {.student = "zoe",
                                        .exercise = "dot",
                                        .at = 3,
                                        .state = "not-submitted",
                                        .message = "no file"};
    for (int i = 0; i < 2; i++)
        must(gradebook_store_absence(book, &absence, &error), &error);
    struct gradebook_grades grades;
    const struct gradebook_filter filter = {.missing = true, .exercise = "dot"};
    must(gradebook_grades(book, &filter, &grades, &error), &error);
    assert_int_equal(grades.count, 2);
    assert_string_equal(grades.rows[0].state, "not-submitted");
    assert_string_equal(grades.rows[0].message, "no file");
    assert_string_equal(grades.rows[1].state, "not-graded");
    gradebook_grades_free(&grades);
    gradebook_close(book);
    assert_int_equal(ask("SELECT count(*) FROM absence"), 1);
}

static struct gradebook_key key_of(const struct gradebook_attempt *attempt) {
    return (struct gradebook_key){.student = attempt->student,
                                  .exercise = attempt->exercise,
                                  .commit = attempt->commit,
                                  .path = attempt->path,
                                  .submission_sha256 = attempt->submission_sha256,
                                  .exercise_version = attempt->exercise_version,
                                  .tool_version = attempt->tool_version,
                                  .engine = attempt->engine,
                                  .device = attempt->device,
                                  .seed = attempt->seed};
}

static int64_t is_current(struct gradebook *book, const struct gradebook_key *key) {
    int64_t attempt;
    struct error error;
    must(gradebook_is_current(book, key, &attempt, &error), &error);
    return attempt;
}

static void only_what_changed_is_graded_again(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_BEST, 0);
    const struct gradebook_attempt attempt = file_of("c1", "f1", 5);
    const struct gradebook_key key = key_of(&attempt);
    assert_int_equal(is_current(book, &key), 0);
    store(book, &attempt);
    assert_int_equal(is_current(book, &key), 1);
    struct gradebook_key other = key;
    other.seed++;
    assert_int_equal(is_current(book, &other), 1);
    const char **const fields[] = {&other.student,
                                   &other.exercise,
                                   &other.commit,
                                   &other.path,
                                   &other.submission_sha256,
                                   &other.exercise_version,
                                   &other.tool_version,
                                   &other.engine,
                                   &other.device};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        other = key;
        *fields[i] = "x";
        assert_int_equal(is_current(book, &other), 0);
    }
    gradebook_close(book);
}

static void the_same_file_is_graded_once(void **state) {
    (void)state;
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_BEST, 0);
    struct gradebook_attempt attempt = file_of("c1", "f1", 5);
    attempt.report_json = "{\"x\": 1}";
    store(book, &attempt);
    struct gradebook_key key = key_of(&attempt);
    key.student = "zoe";
    key.commit = "c77";
    char *json;
    size_t length;
    struct error error;
    must(gradebook_same_submission(book, &key, &json, &length, &error), &error);
    assert_string_equal(json, "{\"x\": 1}");
    free(json);
    key.seed++;
    must(gradebook_same_submission(book, &key, &json, &length, &error), &error);
    assert_null(json);
    gradebook_close(book);
}

/* The view that a person reads, and its order: a run, what it found, what a person decided. */
static void history_tells_all(void **state) {
    (void)state;
    static const char *const kinds[] = {"run",    "attempt", "grading",  "penalty",
                                        "choice", "absence", "override", "withdrawal"};
    struct gradebook *book = course_of(GRADEBOOK_COUNTS_BEST, 0);
    struct error error;
    const struct gradebook_run run = {
        .started_at = 10, .tool_version = "1", .course_file = "c.yaml", .who = "me"};
    struct gradebook_attempt attempt = file_of("c1", "f1", 5);
    must(gradebook_run_begin(book, &run, &attempt.run, &error), &error);
    attempt.fetched_at = 11;
    attempt.graded_at = 12;
    attempt.penalty = (struct gradebook_penalty){.percent = 10, .reason = "late"};
    attempt.date_flags = "in the future";
    store(book, &attempt);
    const struct gradebook_confirmation pin = {
        .attempt = 1, .run = attempt.run, .at = 13, .pinned = true};
    must(gradebook_confirm(book, &pin, &error), &error);
    const struct gradebook_absence absence = {
        .student = "zoe", .exercise = "dot", .at = 14, .state = "unreadable", .message = "no"};
    must(gradebook_store_absence(book, &absence, &error), &error);
    struct gradebook_override override = {
        .student = "ada", .exercise = "dot", .value = 6, .who = "me", .why = "so", .at = 15};
    must(gradebook_override(book, &override, &error), &error);
    override.at = 16;
    must(gradebook_withdraw(book, &override, &error), &error);
    struct gradebook_events events;
    must(gradebook_history(book, NULL, NULL, &events, &error), &error);
    assert_int_equal(events.count, sizeof kinds / sizeof *kinds);
    for (size_t i = 0; i < events.count; i++)
        assert_string_equal(events.rows[i].kind, kinds[i]);
    assert_non_null(strstr(events.rows[0].what, "not finished"));
    assert_non_null(strstr(events.rows[1].what, "(in the future)"));
    gradebook_events_free(&events);
    must(gradebook_history(book, "zoe", NULL, &events, &error), &error);
    assert_int_equal(events.count, 1);
    gradebook_events_free(&events);
    gradebook_close(book);
}

/* The first attempt, for every other student and exercise. */
static const char *const copy_to_all =
    "BEGIN;"
    "INSERT INTO attempt (student, exercise, exercise_version, repository, branch, commit_id, path,"
    " submission_sha256, date_flags) SELECT s.id, e.id, a.exercise_version, '', '', a.commit_id,"
    " a.path, a.submission_sha256, '' FROM student s CROSS JOIN exercise e CROSS JOIN attempt a"
    " WHERE (s.id, e.id) <> (a.student, a.exercise) AND a.id = 1;"
    "INSERT INTO grading (attempt, graded_at, tool_version, engine, device, jail, seed, score,"
    " max_score, passed, verdict, message, report, report_bytes, report_sha256) SELECT a.id,"
    " g.graded_at, g.tool_version, g.engine, g.device, g.jail, g.seed, g.score, g.max_score,"
    " g.passed, g.verdict, g.message, g.report, g.report_bytes, g.report_sha256"
    " FROM attempt a CROSS JOIN grading g WHERE a.id > 1 AND g.id = 1;"
    "INSERT INTO choice (attempt, chosen_at, pinned) SELECT id, 1, 0 FROM attempt WHERE id > 1;"
    "COMMIT";

/* ---- what a class costs ------------------------------------------------------------------- */

enum { FEW = 40, MANY = 4 * FEW, EXERCISES = 3, STEPS_A_CALL = 100 };

static int count_call(void *calls) {
    ++*(int *)calls;
    return 0;
}

/* What a second run asks of a class that has not changed. */
static void ask_as_a_run_does(struct gradebook *book, const struct gradebook_student *students,
                              size_t count, const struct gradebook_exercise *exercises) {
    struct error error;
    must(gradebook_sync_students(book, students, count, &error), &error);
    must(gradebook_sync_exercises(book, exercises, EXERCISES, &error), &error);
    for (size_t i = 0; i < count * EXERCISES; i++) {
        struct gradebook_attempt attempt = attempt_of(students[i / EXERCISES].id, "c1", 8);
        attempt.exercise = exercises[i % EXERCISES].id;
        const struct gradebook_key key = key_of(&attempt);
        const struct gradebook_confirmation say = {.attempt = is_current(book, &key), .at = 3};
        struct gradebook_row row;
        assert_true(say.attempt > 0);
        must(gradebook_confirm(book, &say, &error), &error);
        must(gradebook_find(book, attempt.student, attempt.exercise, GRADEBOOK_COUNTED, &row,
                            &error),
             &error);
        assert_true(row.final == 8);
    }
    struct gradebook_grades grades;
    const struct gradebook_filter all = {0};
    must(gradebook_grades(book, &all, &grades, &error), &error);
    assert_int_equal(grades.count, count * EXERCISES);
    gradebook_grades_free(&grades);
}

/* In hundreds of instructions of SQLite's machine: a count, not a time. */
static int calls_of_a_second_run(size_t count) {
    static char ids[MANY][8];
    struct gradebook_student students[MANY] = {0};
    const struct gradebook_exercise exercises[EXERCISES] = {
        exercise_of("a", GRADEBOOK_COUNTS_BEST, 3), exercise_of("b", GRADEBOOK_COUNTS_BEST, 3),
        exercise_of("c", GRADEBOOK_COUNTS_BEST, 0)};
    snprintf(path, sizeof path, "%s/%zu.sqlite", folder, count);
    struct gradebook *book = open_book();
    for (size_t i = 0; i < count; i++) {
        snprintf(ids[i], sizeof ids[i], "s%zu", i);
        students[i].id = ids[i];
    }
    struct error error;
    must(gradebook_sync_students(book, students, count, &error), &error);
    must(gradebook_sync_exercises(book, exercises, EXERCISES, &error), &error);
    struct gradebook_attempt first = attempt_of("s0", "c1", 8);
    first.exercise = "a";
    store(book, &first);
    tell(copy_to_all);
    int calls = 0;
    sqlite3_progress_handler(book->database, STEPS_A_CALL, count_call, &calls);
    ask_as_a_run_does(book, students, count, exercises);
    gradebook_close(book);
    assert_int_equal(ask("SELECT count(*) FROM choice"), count * EXERCISES);
    return calls;
}

/* Four times the students cost four times as much: nothing looks through the whole class for each
 * of them. */
static void a_class_costs_what_its_students_cost(void **state) {
    (void)state;
    int few = calls_of_a_second_run(FEW), many = calls_of_a_second_run(MANY);
    print_message("%d and %d\n", few, many);
    assert_true(few > 0 && many < 5 * few);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_best_counts),
        TEST(of_equals_the_first_by_its_date_counts),
        TEST(the_last_counts),
        TEST(a_limit_counts_files),
        TEST(a_limit_counts_by_the_date),
        TEST(what_came_too_late_does_not_count),
        TEST(a_pinned_commit_counts),
        TEST(a_penalty_can_change),
        TEST(what_is_shown_adds_up),
        TEST(an_override_replaces_until_it_is_withdrawn),
        TEST(wrong_overrides_are_refused),
        TEST(totals_are_the_sum_of_grades),
        TEST(says_why_there_is_nothing),
        TEST(only_what_changed_is_graded_again),
        TEST(the_same_file_is_graded_once),
        TEST(history_tells_all),
        TEST(a_class_costs_what_its_students_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
