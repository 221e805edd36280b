/* Grading a class, with a judge made of scripts: what is written, what goes on, what stops.
 *
 * The functions of grade.h are defined here, in place of the judge's: a submission that reads
 * "score 75" gets 75 percent, "internal" cannot be judged, "environment" and "exercise" end the
 * run. unit/cli/test_program.c runs the built program with the real judge. */
#include "tests/support/git_fixture.h"

#include "grader/batch/batch.h"
#include "grader/batch/batch_summary.h"
#include "grader/grade/grade.h"
#include "grader/gradebook/gradebook.h"
#include "sandbox/base/text.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

/* ---- the scripted judge ------------------------------------------------------------------- */

struct grade_session {
    uint64_t seed;
};
static size_t cards;                                  /* of the session */
static atomic_size_t judged, together, most_together; /* submissions */

bool grade_engine_from_name(const char *name, enum grade_engine *engine) {
    (void)name;
    (void)engine;
    return false;
}

enum status grade_open(const struct grade_options *options, struct grade_session **session,
                       struct error *error) {
    (void)error;
    *session = mem_zalloc(sizeof **session);
    (*session)->seed = options->has_seed ? options->seed : 99;
    return STATUS_OK;
}

void grade_close(struct grade_session *session) {
    free(session);
}

uint64_t grade_seed(const struct grade_session *session) {
    return session->seed;
}

size_t grade_card_count(const struct grade_session *session) {
    (void)session;
    return cards;
}

enum status grade_exit_status(const struct report *report) {
    return report->verdict == VERDICT_INTERNAL_ERROR ? STATUS_ENVIRONMENT
           : report->passed                          ? STATUS_OK
                                                     : STATUS_BELOW_MARK;
}

enum status grade_submission(struct grade_session *session, const struct exercise *exercise,
                             const struct grade_source *source, struct report **out,
                             struct error *error) {
    judged++;
    *out = NULL;
    size_t now = atomic_fetch_add(&together, 1) + 1;
    for (size_t most = most_together;
         now > most && !atomic_compare_exchange_weak(&most_together, &most, now);)
        ;
    if (cards > 1)
        usleep(20000);
    atomic_fetch_sub(&together, 1);
    if (strncmp(source->text, "environment", 11) == 0)
        return error_set(error, STATUS_ENVIRONMENT, "no NVRTC here");
    if (strncmp(source->text, "exercise", 8) == 0)
        return error_set(error, STATUS_INVALID, "the reference does not compile");
    double percent = 0;
    sscanf(source->text, "score %lf", &percent);
    struct report *report = mem_zalloc(sizeof *report);
    report->exercise = mem_strdup(exercise->id);
    report->title = mem_strdup(exercise->title[0]);
    report->language = mem_strdup("en");
    report->file = mem_strdup(source->file);
    report->source = mem_strndup(source->text, source->length);
    report->source_length = source->length;
    memset(report->sha256, 'a', 64);
    report->engine = mem_strdup("sim");
    report->seed = session->seed;
    report->max_score = exercise->max_score;
    report->score = exercise->max_score * percent / 100;
    report->pass_mark = exercise->max_score * exercise->pass_mark_percent / 100;
    report->passed = report->score >= report->pass_mark;
    report->verdict = strncmp(source->text, "internal", 8) == 0 ? VERDICT_INTERNAL_ERROR
                      : percent == 100                          ? VERDICT_PASS
                                                                : VERDICT_WRONG_ANSWER;
    report->message = mem_strdup("=1+1 is a message");
    report->cases = mem_calloc(1, sizeof *report->cases);
    report->case_count = 1;
    report->cases[0].name = mem_strdup("one");
    report->cases[0].group = mem_strdup("correctness");
    report->cases[0].verdict = report->verdict;
    report->cases[0].message = mem_strdup("");
    report->environment = mem_strdup("test");
    report->compiler = mem_strdup("none");
    *out = report;
    return STATUS_OK;
}

/* ---- the course --------------------------------------------------------------------------- */

static char *folder;

static int make_folder(void **state) {
    (void)state;
    folder = fixture_folder();
    judged = most_together = 0;
    cards = 0;
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    fixture_remove(folder);
    free(folder);
    return 0;
}

static char *in_folder(const char *name) {
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text) {
    assert_int_equal(file_write(in_folder(name), text, strlen(text), NULL), STATUS_OK);
}

static void student(const char *name, const char *dot, const char *saxpy) {
    struct fixture_file files[2];
    size_t count = 0;
    if (dot)
        files[count++] = (struct fixture_file){"dot.cu", dot};
    if (saxpy)
        files[count++] = (struct fixture_file){"saxpy/saxpy.cu", saxpy};
    fixture_repository(in_folder(name), true, files, count);
}

static void commit_again(const char *name, const struct fixture_file *file) {
    git_repository *repository;
    assert_git(git_repository_open(&repository, in_folder(name)));
    git_oid tree = fixture_tree(repository, file, 1);
    fixture_commit(repository, "refs/heads/main", &tree);
    git_repository_free(repository);
}

static char *read_text(const char *name) {
    char *data;
    size_t length;
    struct error error;
    if (file_read(in_folder(name), 1 << 24, &data, &length, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return data;
}

enum { CSV_COLUMNS = 18 };

/* Splits one line of a CSV file in place; "" inside a field is not met here. */
static void split_row(char *row, char *fields[CSV_COLUMNS]) {
    for (int i = 0; i < CSV_COLUMNS; i++) {
        bool quoted = *row == '"';
        fields[i] = row + quoted;
        row = quoted ? strchr(row + 1, '"') : row + strcspn(row, ",\r");
        char *next = row + quoted + 1;
        assert_int_equal(row[quoted], i + 1 < CSV_COLUMNS ? ',' : '\r');
        *row = '\0';
        row = next;
    }
}

/* A field of grades.csv, by student, exercise and column; caller frees. */
static char *grade_of(const char *who, const char *exercise, const char *column) {
    cleanup_free char *csv = read_text("out/grades.csv");
    char *header[CSV_COLUMNS], *fields[CSV_COLUMNS];
    char *next = strchr(csv, '\n') + 1;
    int index = 0;
    split_row(csv, header);
    while (strcmp(header[index], column) != 0)
        assert_true(++index < CSV_COLUMNS);
    for (char *row = next; *row; row = next) {
        next = strchr(row, '\n') + 1;
        split_row(row, fields);
        if (strcmp(fields[0], who) == 0 && strcmp(fields[2], exercise) == 0)
            return mem_strdup(fields[index]);
    }
    fail_msg("no row for %s %s", who, exercise);
    return NULL;
}

static void assert_grade(const char *who, const char *exercise, const char *column,
                         const char *value) {
    cleanup_free char *got = grade_of(who, exercise, column);
    if (strcmp(got, value) != 0)
        fail_msg("%s %s %s: %s, not %s", who, exercise, column, got, value);
}

#define COURSE "course: C\nexercises: [dot, saxpy]\noutput: out\nseed: 5\n"

struct run {
    enum status opened, ran, exit;
    struct error error;
    char *summary;
};

static struct run run_batch(const char *only, const char *output) {
    struct batch_options options = {.course = in_folder("COURSE.yaml"), .output = output};
    options.only = &only;
    options.only_count = only ? 1 : 0;
    struct run run = {0};
    struct batch *batch;
    run.opened = batch_open(&options, &batch, &run.error);
    if (run.opened != STATUS_OK)
        return run;
    run.ran = batch_run(batch, NULL, NULL, &run.error);
    run.exit = batch_status(batch);
    struct text summary = {0};
    batch_summary(batch, false, &summary);
    run.summary = text_steal(&summary);
    batch_close(batch);
    return run;
}

static void grades_a_class(void **state) {
    (void)state;
    student("ada", "score 100", "score 50");
    student("bob", "score 60", "score 59.999");
    write_file("COURSE.yaml",
               COURSE "students:\n"
                      "  - {id: ada, name: \"=cmd|' /C calc'!A0\", repository: ada}\n"
                      "  - {id: bob, name: Bob, repository: bob}\n");
    struct run run = run_batch(NULL, NULL);
    assert_int_equal(run.opened, STATUS_OK);
    assert_int_equal(run.ran, STATUS_OK);
    assert_int_equal(run.exit, STATUS_OK);
    assert_non_null(strstr(run.summary, "4 of 4 submissions graded\n"));
    free(run.summary);
    assert_grade("ada", "dot", "passed", "yes");
    assert_grade("ada", "dot", "verdict", "pass");
    assert_grade("ada", "dot", "status", "graded");
    assert_grade("ada", "dot", "path", "dot.cu");
    assert_grade("ada", "saxpy", "path", "saxpy/saxpy.cu");
    assert_grade("ada", "dot", "branch", "main");
    assert_grade("ada", "dot", "committed_at", "2023-11-14T22:13:20Z");
    assert_grade("ada", "dot", "attempts", "1");
    assert_grade("ada", "dot", "best_percent", "100");
    assert_grade("bob", "saxpy", "passed", "no"); /* the score is not rounded up to the mark */
    /* neither a name nor a message is a formula */
    assert_grade("ada", "dot", "name", "'=cmd|' /C calc'!A0");
    assert_grade("ada", "dot", "message", "'=1+1 is a message");
    cleanup_free char *json = read_text("out/ada/dot.json");
    assert_non_null(strstr(json, "\"exercise\""));
    assert_true(file_exists(in_folder("out/bob/saxpy.txt")));
    cleanup_free char *junit = read_text("out/junit.xml");
    assert_non_null(strstr(junit, "ada/dot.cu"));
    assert_non_null(strstr(junit, "tests=\"4\""));
}

/* As many at once as there are cards; what is written is what one card gives. */
static void several_cards(void **state) {
    (void)state;
    static const char *const written[] = {"out/junit.xml", "out/s1/dot.json", "out/s6/saxpy.txt"};
    char *first[ARRAY_LENGTH(written)];
    cleanup_text struct text course = {0};
    text_append(&course, COURSE "students:\n");
    for (int i = 0; i < 7; i++) {
        char name[8], score[16];
        snprintf(name, sizeof name, "s%d", i);
        snprintf(score, sizeof score, "score %d", 40 + 10 * i);
        if (i != 3) /* whose repository is not there */
            student(name, score, i == 4 ? NULL : score);
        text_printf(&course, "  - {id: s%d, repository: s%d}\n", i, i);
    }
    write_file("COURSE.yaml", text_string(&course));
    for (cards = 1; cards <= 3; cards += 2) {
        judged = most_together = 0;
        struct run run = run_batch(NULL, NULL);
        assert_int_equal(run.ran, STATUS_OK);
        assert_int_equal(run.exit, STATUS_BELOW_MARK);
        assert_non_null(strstr(run.summary, "11 of 14 submissions graded"));
        free(run.summary);
        assert_int_equal(judged, 11);
        assert_int_equal(most_together, cards);
        assert_grade("s3", "dot", "status", "unreadable");
        assert_grade("s4", "saxpy", "status", "not-submitted");
        assert_grade("s5", "saxpy", "best_percent", "90");
        for (size_t i = 0; i < ARRAY_LENGTH(written); i++) {
            cleanup_free char *text = read_text(written[i]);
            if (cards == 1)
                first[i] = mem_strdup(text);
            else
                assert_string_equal(text, first[i]);
        }
    }
    for (size_t i = 0; i < ARRAY_LENGTH(written); i++)
        free(first[i]);
}

/* A failure of the machine's ends the run; what was judged beside it is released. */
static void several_cards_and_no_nvrtc(void **state) {
    (void)state;
    cards = 4;
    student("ada", "score 100", "environment");
    student("bob", "score 80", "score 80");
    write_file("COURSE.yaml", COURSE "students:\n  - {id: ada, repository: ada}\n"
                                     "  - {id: bob, repository: bob}\n");
    struct run run = run_batch(NULL, NULL);
    assert_int_equal(run.ran, STATUS_ENVIRONMENT);
    assert_string_equal(run.error.message, "no NVRTC here");
    free(run.summary);
}

static void broken_repositories_cost_their_rows_only(void **state) {
    (void)state;
    student("ada", "score 100", "score 100");
    student("late", "score 80", NULL);
    git_repository_free(fixture_init(in_folder("empty"), true));
    const struct fixture_file link[] = {{"dot.cu", "/etc/passwd", GIT_FILEMODE_LINK},
                                        {"saxpy.cu", "score 70"}};
    fixture_repository(in_folder("link"), true, link, 2);
    write_file("file", "x");
    write_file("COURSE.yaml", COURSE "students:\n"
                                     "  - {id: gone, repository: nowhere}\n"
                                     "  - {id: empty, repository: empty}\n"
                                     "  - {id: file, repository: file}\n"
                                     "  - {id: link, repository: link}\n"
                                     "  - {id: web, repository: \"https://u:pw@127.0.0.1:1/x\"}\n"
                                     "  - {id: late, repository: late}\n"
                                     "  - {id: branch, repository: ada, branch: week1}\n"
                                     "  - {id: ada, repository: ada}\n");
    struct run run = run_batch(NULL, NULL);
    assert_int_equal(run.opened, STATUS_OK);
    assert_int_equal(run.ran, STATUS_OK);
    assert_int_equal(run.exit, STATUS_BELOW_MARK);
    assert_int_equal(judged, 4);
    const char *unreadable[] = {"gone", "empty", "file", "web", "branch"};
    for (unsigned i = 0; i < ARRAY_LENGTH(unreadable); i++) {
        assert_grade(unreadable[i], "dot", "status", "unreadable");
        assert_grade(unreadable[i], "saxpy", "score", "");
        assert_grade(unreadable[i], "saxpy", "passed", "");
    }
    assert_grade("link", "dot", "status", "refused");
    assert_grade("link", "dot", "score", "0");
    assert_grade("link", "dot", "message", "dot.cu is a symbolic link, not a file");
    assert_grade("link", "saxpy", "status", "graded");
    assert_grade("late", "saxpy", "status", "not-submitted");
    assert_grade("late", "saxpy", "passed", "no");
    assert_grade("late", "dot", "status", "graded");
    assert_grade("ada", "dot", "status", "graded");
    assert_grade("web", "dot", "repository", "https://u:***@127.0.0.1:1/x");
    assert_non_null(strstr(run.summary, "4 of 16 submissions graded"));
    assert_non_null(strstr(run.summary, "5 repositories cannot be read"));
    assert_non_null(strstr(run.summary, "late saxpy: there is no saxpy.cu and no saxpy/saxpy.cu"));
    assert_null(strstr(run.summary, "pw"));
    free(run.summary);
    cleanup_free char *text = read_text("out/link/dot.txt");
    assert_non_null(strstr(text, "symbolic link"));
    assert_false(file_exists(in_folder("out/link/dot.json")));
    cleanup_free char *junit = read_text("out/junit.xml");
    assert_non_null(strstr(junit, "tests=\"16\" failures=\"2\" errors=\"10\""));
}

static void a_withdrawn_submission_leaves_no_old_report(void **state) {
    (void)state;
    student("ada", "score 100", "score 100");
    write_file("COURSE.yaml", COURSE "students: [{id: ada, repository: ada}]\n");
    free(run_batch(NULL, NULL).summary);
    assert_true(file_exists(in_folder("out/ada/dot.json")));
    commit_again("ada", &(struct fixture_file){"README", "x"});
    free(run_batch(NULL, NULL).summary);
    assert_false(file_exists(in_folder("out/ada/dot.json")));
    assert_grade("ada", "dot", "status", "not-submitted");
    assert_grade("ada", "dot", "best_percent", "100"); /* the gradebook has not forgotten */
    assert_grade("ada", "dot", "attempts", "1");
}

static void only_some_students(void **state) {
    (void)state;
    student("ada", "score 100", "score 100");
    student("bob", "score 80", "score 80");
    write_file("COURSE.yaml", COURSE "students:\n  - {id: ada, repository: ada}\n"
                                     "  - {id: bob, repository: bob}\n"
                                     "  - {id: eve, repository: nowhere}\n");
    struct run run = run_batch("bob", NULL);
    assert_int_equal(run.exit, STATUS_OK);
    assert_non_null(strstr(run.summary, "2 of 2 submissions graded"));
    free(run.summary);
    assert_int_equal(judged, 2);
    assert_grade("ada", "dot", "status", "not-graded");
    run = run_batch("ada", NULL);
    free(run.summary);
    assert_grade("bob", "dot", "status", "recorded");
    assert_grade("bob", "dot", "passed", "yes");
    assert_grade("bob", "saxpy", "path", "saxpy/saxpy.cu");
    assert_grade("bob", "dot", "message", "'=1+1 is a message");
    assert_grade("ada", "dot", "status", "graded");
    run = run_batch("adda", NULL);
    assert_int_equal(run.opened, STATUS_INVALID);
    assert_string_equal(run.error.hint, "did you mean ada?");
}

static void the_machine_stops_the_run_but_keeps_the_grades(void **state) {
    (void)state;
    student("ada", "score 100", "score 100");
    student("bob", "environment", "score 80");
    student("eve", "score 100", "score 100");
    write_file("COURSE.yaml", COURSE "students:\n  - {id: ada, repository: ada}\n"
                                     "  - {id: bob, repository: bob}\n"
                                     "  - {id: eve, repository: eve}\n");
    struct run run = run_batch(NULL, NULL);
    assert_int_equal(run.ran, STATUS_ENVIRONMENT);
    assert_string_equal(run.error.message, "no NVRTC here");
    free(run.summary);
    assert_int_equal(judged, 3);
    assert_grade("ada", "saxpy", "status", "graded");
    assert_grade("bob", "dot", "status", "not-graded");
    assert_grade("eve", "dot", "status", "not-graded");
    /* what was graded before is still there */
    commit_again("ada", &(struct fixture_file){"dot.cu", "environment"});
    run = run_batch(NULL, NULL);
    assert_int_equal(run.ran, STATUS_ENVIRONMENT);
    free(run.summary);
    assert_grade("ada", "dot", "status", "recorded");
    assert_grade("ada", "dot", "score", "100");
}

static void a_wrong_exercise_stops_the_run(void **state) {
    (void)state;
    student("ada", "exercise", "score 100");
    write_file("COURSE.yaml", COURSE "students: [{id: ada, repository: ada}]\n");
    struct run run = run_batch(NULL, NULL);
    assert_int_equal(run.ran, STATUS_INVALID);
    free(run.summary);
    write_file("COURSE.yaml", "course: C\nexercises: [dot, saxpi]\n"
                              "students: [{id: ada, repository: ada}]\n");
    run = run_batch(NULL, NULL);
    assert_int_equal(run.opened, STATUS_INVALID);
    assert_int_equal(run.error.line, 2);
    assert_int_equal(run.error.column, 18);
    assert_non_null(strstr(run.error.hint, "saxpy"));
}

static void what_cannot_be_judged_is_no_attempt(void **state) {
    (void)state;
    student("ada", "internal", "score 100");
    write_file("COURSE.yaml", COURSE "students: [{id: ada, repository: ada}]\n");
    struct run run = run_batch(NULL, NULL);
    assert_int_equal(run.ran, STATUS_OK);
    assert_int_equal(run.exit, STATUS_ENVIRONMENT);
    free(run.summary);
    assert_grade("ada", "dot", "status", "unjudged");
    assert_grade("ada", "dot", "score", "");
    assert_grade("ada", "dot", "attempts", "0");
    assert_grade("ada", "saxpy", "attempts", "1");
}

static void the_gradebook_holds_the_report(void **state) {
    (void)state;
    student("ada", "score 100", "score 40");
    write_file("COURSE.yaml", COURSE "pass_mark: 40\n"
                                     "students: [{id: ada, name: Ada, repository: ada}]\n");
    for (int i = 0; i < 2; i++)
        free(run_batch(NULL, NULL).summary);
    assert_grade("ada", "saxpy", "passed", "yes");
    struct gradebook *book;
    struct gradebook_row row;
    char *report;
    size_t length;
    assert_int_equal(gradebook_open(in_folder("gradebook.sqlite"), &book, NULL), STATUS_OK);
    assert_int_equal(gradebook_find(book, "ada", "dot", GRADEBOOK_COUNTED, &row, NULL), STATUS_OK);
    assert_int_equal(row.attempts, 1); /* graded twice alike: one attempt each */
    assert_int_equal(row.seed, 5);
    assert_string_equal(row.verdict, "pass");
    assert_int_equal(gradebook_report(book, row.grading, &report, &length, NULL), STATUS_OK);
    json_t *json = json_loads(report, 0, NULL);
    assert_non_null(json);
    json_decref(json);
    free(report);
    gradebook_close(book);
}

static void results_can_go_elsewhere(void **state) {
    (void)state;
    student("ada", "score 100", "score 40");
    write_file("COURSE.yaml", COURSE "students: [{id: ada, repository: ada}]\n");
    free(run_batch(NULL, in_folder("other/deep")).summary);
    assert_true(file_exists(in_folder("other/deep/ada/dot.json")));
    write_file("plain", "x");
    struct run run = run_batch(NULL, in_folder("plain"));
    assert_int_equal(run.opened, STATUS_ENVIRONMENT);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(grades_a_class),
        TEST(several_cards),
        TEST(several_cards_and_no_nvrtc),
        TEST(broken_repositories_cost_their_rows_only),
        TEST(a_withdrawn_submission_leaves_no_old_report),
        TEST(only_some_students),
        TEST(the_machine_stops_the_run_but_keeps_the_grades),
        TEST(a_wrong_exercise_stops_the_run),
        TEST(what_cannot_be_judged_is_no_attempt),
        TEST(the_gradebook_holds_the_report),
        TEST(results_can_go_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
