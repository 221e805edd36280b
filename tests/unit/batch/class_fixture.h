/* A class in a temporary folder and a judge made of scripts, for tests of the batch.
 *
 * The functions of grade.h are defined here, in place of the judge's: a submission that reads
 * "score 75" gets 75 percent, "internal" cannot be judged, "environment" cannot either, "killed 75"
 * can the second time, "exercise" ends the run; an exercise's own kernel gets 0 percent.
 * unit/cli/test_program.c runs the built program with the real judge. */
#ifndef WARPGRADE_TESTS_UNIT_BATCH_CLASS_FIXTURE_H
#define WARPGRADE_TESTS_UNIT_BATCH_CLASS_FIXTURE_H

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

enum { AT_LEAST_MS = 5, AT_MOST_MS = 10000 };

struct grade_session {
    uint64_t seed;
};
static size_t cards;                                  /* of the session */
static atomic_size_t judged, together, most_together; /* submissions */
static size_t gather;               /* judging waits until so many are judged side by side */
static size_t end_at;               /* the run is ended with so many judged; 0: it is not */
static volatile sig_atomic_t ended; /* by that */
static volatile sig_atomic_t over;  /* ... and has written what there is: nothing more is judged */
static atomic_size_t killed;        /* ... once */
static uint64_t secret_seed;        /* of a session that is given none */
static bool machine_fails;          /* nothing can be judged */

bool grade_engine_from_name(const char *name, enum grade_engine *engine) {
    (void)name;
    (void)engine;
    return false;
}

enum status grade_open(const struct grade_options *options, struct grade_session **session,
                       struct error *error) {
    (void)error;
    *session = mem_zalloc(sizeof **session);
    (*session)->seed = options->has_seed ? options->seed : secret_seed;
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
    *out = NULL;
    if (over)
        return error_set(error, STATUS_ENVIRONMENT, "the run is over");
    judged++;
    size_t now = atomic_fetch_add(&together, 1) + 1;
    for (size_t most = most_together;
         now > most && !atomic_compare_exchange_weak(&most_together, &most, now);)
        ;
    for (int ms = 0; gather && (most_together < gather || ms < AT_LEAST_MS) && ms < AT_MOST_MS;
         ms++)
        usleep(1000);
    atomic_fetch_sub(&together, 1);
    while (ended) /* until the run that was ended is over */
        usleep(1000);
    if (judged == end_at)
        ended = 1;
    if (machine_fails || strncmp(source->text, "environment", 11) == 0 ||
        (strncmp(source->text, "killed", 6) == 0 && killed++ == 0))
        return error_set(error, STATUS_ENVIRONMENT, "no NVRTC here");
    if (strncmp(source->text, "exercise", 8) == 0)
        return error_set(error, STATUS_INVALID, "the reference does not compile");
    double percent = 0;
    sscanf(source->text, "%*s %lf", &percent);
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
    report->cases[0].message = mem_strdup(
        report->verdict == VERDICT_INTERNAL_ERROR ? "unsupported at line 5: a texture" : "");
    report->environment = mem_strdup("test");
    report->compiler = mem_strdup("none");
    *out = report;
    return STATUS_OK;
}

/* ---- the course --------------------------------------------------------------------------- */

static char *folder;

static inline int make_folder(void **state) {
    (void)state;
    folder = fixture_fast_folder();
    judged = most_together = killed = end_at = 0;
    ended = 0;
    cards = 0;
    gather = 0;
    machine_fails = false;
    secret_seed = 99;
    return 0;
}

static inline int remove_folder(void **state) {
    (void)state;
    fixture_remove(folder);
    free(folder);
    return 0;
}

static inline char *in_folder(const char *name) {
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static inline void write_file(const char *name, const char *text) {
    assert_int_equal(file_write(in_folder(name), text, strlen(text), NULL), STATUS_OK);
}

static inline void student(const char *name, const char *dot, const char *saxpy) {
    struct fixture_file files[2];
    size_t count = 0;
    if (dot)
        files[count++] = (struct fixture_file){"dot.cu", dot};
    if (saxpy)
        files[count++] = (struct fixture_file){"saxpy/saxpy.cu", saxpy};
    fixture_repository(in_folder(name), true, files, count);
}

static inline void commit_again(const char *name, const struct fixture_file *file) {
    git_repository *repository;
    assert_git(git_repository_open(&repository, in_folder(name)));
    git_oid tree = fixture_tree(repository, file, 1);
    fixture_commit(repository, "refs/heads/main", &tree);
    git_repository_free(repository);
}

static inline void commit_at(const char *name, const char *text, int64_t when) {
    git_repository *repository;
    assert_git(git_repository_open(&repository, in_folder(name)));
    git_oid tree = fixture_tree(repository, &(struct fixture_file){"dot.cu", text}, 1);
    git_oid parent;
    assert_git(git_reference_name_to_id(&parent, repository, "refs/heads/main"));
    fixture_commit_on(repository, "refs/heads/main", &tree, when, &parent, 1);
    git_repository_free(repository);
}

static inline char *read_text(const char *name) {
    char *data;
    size_t length;
    struct error error;
    if (file_read(in_folder(name), 1 << 24, &data, &length, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return data;
}

enum { CSV_COLUMNS = 48 };

/* Splits one line of a CSV file in place; "" inside a field is not met here. The number of fields.
 */
static inline int split_row(char *row, char *fields[CSV_COLUMNS]) {
    for (int i = 0; i < CSV_COLUMNS; i++) {
        bool quoted = *row == '"';
        fields[i] = row + quoted;
        row = quoted ? strchr(row + 1, '"') : row + strcspn(row, ",\r");
        char *next = row + quoted + 1, end = row[quoted];
        assert_true(end == ',' || end == '\r');
        *row = '\0';
        row = next;
        if (end == '\r')
            return i + 1;
    }
    fail_msg("too many columns");
    return 0;
}

/* A field of grades.csv, by student, exercise and column; caller frees. */
static inline char *grade_of(const char *who, const char *exercise, const char *column) {
    cleanup_free char *csv = read_text("out/grades.csv");
    char *header[CSV_COLUMNS], *fields[CSV_COLUMNS];
    char *next = strchr(csv, '\n') + 1;
    int index = 0, count = split_row(csv, header);
    while (strcmp(header[index], column) != 0)
        assert_true(++index < count);
    for (char *row = next; *row; row = next) {
        next = strchr(row, '\n') + 1;
        assert_int_equal(split_row(row, fields), count);
        if (strcmp(fields[0], who) == 0 && strcmp(fields[2], exercise) == 0)
            return mem_strdup(fields[index]);
    }
    fail_msg("no row for %s %s", who, exercise);
    return NULL;
}

static inline void assert_grade(const char *who, const char *exercise, const char *column,
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
    uint64_t seed;
    bool ended;
};

static inline struct run run_with(struct batch_options options) {
    options.course = in_folder("COURSE.yaml");
    options.ended = &ended;
    struct run run = {0};
    struct batch *batch;
    over = 0;
    run.opened = batch_open(&options, &batch, &run.error);
    if (run.opened != STATUS_OK)
        return run;
    run.seed = batch_seed(batch);
    run.ran = batch_run(batch, NULL, NULL, &run.error);
    run.ended = batch_was_ended(batch);
    over = run.ended;
    ended = 0;
    run.exit = batch_status(batch);
    struct text summary = {0};
    batch_summary(batch, false, &summary);
    run.summary = text_steal(&summary);
    batch_close(batch);
    return run;
}

static inline struct run run_batch(const char *only, const char *output) {
    return run_with(
        (struct batch_options){.only = &only, .only_count = only ? 1 : 0, .output = output});
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

#endif
