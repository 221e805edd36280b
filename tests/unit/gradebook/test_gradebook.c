/* The gradebook: what is stored is whole, survives a kill, and no foreign file is touched. */
#include "tests/unit/gradebook/book.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static void keeps_attempts_whole(void **state) {
    (void)state;
    struct gradebook *book = open_book();
    struct gradebook_attempt attempt = attempt_of("ada", "c1", 8);
    store(book, &attempt);
    gradebook_close(book);
    book = open_book();
    struct gradebook_row row;
    assert_int_equal(gradebook_find(book, "ada", "dot", GRADEBOOK_LATEST, &row, NULL), STATUS_OK);
    assert_int_equal(row.attempts, 1);
    assert_true(row.score == 8 && row.max_score == 10 && row.passed);
    assert_string_equal(row.verdict, "hazard");
    assert_string_equal(row.jail, "bubblewrap");
    assert_string_equal(row.commit, "c1");
    assert_string_equal(row.message, "out of bounds");
    assert_string_equal(row.branch, "main");
    assert_string_equal(row.path, "dot.cu");
    assert_int_equal(row.committed_at, 1000);
    assert_int_equal(row.graded_at, 2000);
    assert_true(row.seed == 0xfedcba9876543210);
    assert_int_equal(gradebook_find(book, "ada", "saxpy", GRADEBOOK_BEST, &row, NULL), STATUS_OK);
    assert_int_equal(row.attempts, 0);
    gradebook_close(book);
    assert_int_equal(ask("SELECT count(*) FROM case_result"), CASES);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

/* An attempt is a commit and an exercise version, not a seed. */
static void grading_again_is_no_other_attempt(void **state) {
    (void)state;
    struct gradebook *book = open_book();
    struct gradebook_attempt attempt = attempt_of("ada", "c1", 8);
    store(book, &attempt);
    attempt.graded_at = 3000;
    attempt.seed++;
    attempt.tool_version = "0.2.0";
    attempt.score = 7;
    store(book, &attempt);
    struct gradebook_row row;
    gradebook_find(book, "ada", "dot", GRADEBOOK_BEST, &row, NULL);
    assert_int_equal(row.attempts, 1);
    assert_int_equal(row.graded_at, 3000);
    assert_true(row.score == 7); /* the latest grading, not the best of two draws */
    attempt.exercise_version = "cc";
    store(book, &attempt);
    gradebook_find(book, "ada", "dot", GRADEBOOK_BEST, &row, NULL);
    assert_int_equal(row.attempts, 2);
    assert_int_equal(row.submissions, 1);
    gradebook_close(book);
    assert_int_equal(ask("SELECT count(*) FROM grading"), 3);
    assert_int_equal(ask("SELECT count(*) FROM case_result"), 3 * CASES);
}

static void finds_best_and_latest(void **state) {
    (void)state;
    struct gradebook *book = open_book();
    struct gradebook_attempt early = attempt_of("ada", "c1", 4), best = attempt_of("ada", "c2", 9),
                             last = attempt_of("ada", "c3", 7), other = attempt_of("bob", "c4", 10);
    last.graded_at = 2500;
    best.max_score = 9; /* a share of all points, not a number of points */
    last.score = 9.5;
    last.max_score = 20;
    store(book, &early);
    store(book, &best);
    store(book, &last);
    store(book, &other);
    struct gradebook_row row;
    gradebook_find(book, "ada", "dot", GRADEBOOK_BEST, &row, NULL);
    assert_string_equal(row.commit, "c2");
    gradebook_find(book, "ada", "dot", GRADEBOOK_LATEST, &row, NULL);
    assert_string_equal(row.commit, "c3");
    assert_int_equal(row.attempts, 3);
    gradebook_close(book);
}

static void a_failing_store_leaves_nothing(void **state) {
    (void)state;
    struct gradebook *book = open_book();
    struct gradebook_attempt good = attempt_of("ada", "c1", 8), bad = attempt_of("ada", "c2", 9);
    struct gradebook_case broken[] = {cases[0], cases[1]};
    broken[1].score = __builtin_nan(""); /* SQLite keeps NaN as NULL, which the column refuses */
    bad.cases = broken;
    bad.case_count = 2;
    struct error error;
    assert_int_equal(gradebook_store(book, &bad, &error), STATUS_ENVIRONMENT);
    assert_non_null(strstr(error.message, "cannot be written"));
    assert_string_equal(error.file, path);
    store(book, &good); /* and the book goes on working */
    gradebook_close(book);
    assert_int_equal(ask("SELECT count(*) FROM attempt"), 1);
    assert_int_equal(ask("SELECT count(*) FROM case_result"), CASES);
}

static void hostile_text_is_data(void **state) {
    (void)state;
    struct gradebook *book = open_book();
    struct gradebook_attempt attempt = attempt_of("'); DROP TABLE attempt; --", "c\xc3", 8);
    attempt.student_name = "\xff\xfe";
    store(book, &attempt);
    struct gradebook_row row;
    gradebook_find(book, attempt.student, "dot", GRADEBOOK_BEST, &row, NULL);
    assert_int_equal(row.attempts, 1);
    gradebook_close(book);
}

static _Noreturn void store_for_ever(int announce) {
    struct gradebook *book;
    if (gradebook_open(path, &book, NULL) != STATUS_OK)
        _exit(1);
    for (unsigned i = 0;; i++) {
        char commit[16];
        snprintf(commit, sizeof commit, "c%u", i);
        struct gradebook_attempt attempt = attempt_of("ada", commit, 8);
        if (gradebook_store(book, &attempt, NULL) != STATUS_OK || write(announce, "x", 1) != 1)
            _exit(1);
    }
}

static void a_kill_loses_nothing(void **state) {
    (void)state;
    int64_t announced = 0;
    for (unsigned round = 0; round < 8; round++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0)
            store_for_ever(ends[1]);
        close(ends[1]);
        char bytes[4096];
        while (announced == 0 && read(ends[0], bytes, 1) == 1)
            announced = 1;
        struct timespec pause = {0, 3000000L + 1700000L * round};
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        int64_t count = announced == 1 && round == 0 ? 1 : 0;
        for (ssize_t got; (got = read(ends[0], bytes, sizeof bytes)) > 0;)
            count += got;
        close(ends[0]);
        /* Rounds grade the same commits again. */
        announced = count > announced ? count : announced;
        struct gradebook *book = open_book();
        gradebook_close(book);
        assert_true(ask("SELECT count(*) FROM attempt") >= announced);
        assert_int_equal(ask("SELECT count(*) FROM grading g WHERE (SELECT count(*) FROM"
                             " case_result WHERE grading = g.id) <> 5"),
                         0);
        assert_int_equal(ask("SELECT count(*) FROM attempt a WHERE NOT EXISTS (SELECT 1 FROM"
                             " grading WHERE attempt = a.id) OR NOT EXISTS (SELECT 1 FROM choice"
                             " WHERE attempt = a.id)"),
                         0);
        assert_int_equal(ask("SELECT count(*) FROM case_result WHERE grading NOT IN"
                             " (SELECT id FROM grading)"),
                         0);
    }
}

static void two_programs_share_one_book(void **state) {
    (void)state;
    enum { WRITERS = 3, EACH = 20 };
    pid_t children[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        if (children[i] != 0)
            continue;
        struct gradebook *book;
        struct error error;
        if (gradebook_open(path, &book, &error) != STATUS_OK) {
            fprintf(stderr, "%s\n", error.message);
            _exit(1);
        }
        for (int k = 0; k < EACH; k++) {
            char student[16], commit[16];
            snprintf(student, sizeof student, "s%d", i);
            snprintf(commit, sizeof commit, "c%d", k);
            struct gradebook_attempt attempt = attempt_of(student, commit, 8);
            if (gradebook_store(book, &attempt, NULL) != STATUS_OK)
                _exit(2);
        }
        gradebook_close(book);
        _exit(0);
    }
    for (int i = 0; i < WRITERS; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(ask("SELECT count(*) FROM attempt"), WRITERS * EACH);
}

static void assert_refused(enum status status, const char *message) {
    char *before, *after;
    size_t before_length, after_length;
    assert_int_equal(file_read(path, 1 << 24, &before, &before_length, NULL), STATUS_OK);
    struct gradebook *book;
    struct error error;
    assert_int_equal(gradebook_open(path, &book, &error), status);
    if (!strstr(error.message, message))
        fail_msg("%s", error.message);
    assert_string_equal(error.file, path);
    assert_null(book);
    assert_int_equal(file_read(path, 1 << 24, &after, &after_length, NULL), STATUS_OK);
    assert_int_equal(before_length, after_length);
    assert_memory_equal(before, after, before_length);
    free(before);
    free(after);
}

static void refuses_a_foreign_database(void **state) {
    (void)state;
    tell("CREATE TABLE attempt (x)");
    assert_refused(STATUS_INVALID, "another program");
}

static void refuses_a_newer_gradebook(void **state) {
    (void)state;
    gradebook_close(open_book());
    tell("PRAGMA journal_mode = DELETE; PRAGMA user_version = 4");
    assert_refused(STATUS_INVALID, "schema version 4; this warpgrade knows versions up to 3");
}

static void refuses_what_is_no_database(void **state) {
    (void)state;
    char noise[8192];
    memset(noise, 'x', sizeof noise);
    assert_int_equal(file_write(path, noise, sizeof noise, NULL), STATUS_OK);
    assert_refused(STATUS_INVALID, "no SQLite database");
}

static void refuses_folders_and_missing_folders(void **state) {
    (void)state;
    struct gradebook *book;
    struct error error;
    assert_int_equal(gradebook_open(folder, &book, &error), STATUS_INVALID);
    assert_non_null(strstr(error.message, "not a regular file"));
    assert_int_equal(gradebook_open("/nowhere/at/all/book", &book, &error), STATUS_ENVIRONMENT);
}

/* 0 where another user reads the grade. */
static int read_as_somebody_else(void) {
    enum { NOBODY = 65534 };
    struct gradebook *book;
    struct gradebook_row row;
    if (geteuid() == 0 && (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY)))
        return 1;
    if (gradebook_open_to_read(path, &book, NULL) != STATUS_OK)
        return 2;
    bool found = gradebook_find(book, "ada", "dot", GRADEBOOK_BEST, &row, NULL) == STATUS_OK;
    gradebook_close(book);
    return found && row.score == 7 ? 0 : 3;
}

/* An assistant's, or last year's on a medium that cannot be written. */
static void a_book_that_cannot_be_written_is_read(void **state) {
    (void)state;
    struct gradebook *book = open_book();
    const struct gradebook_attempt attempt = attempt_of("ada", "c1", 7);
    store(book, &attempt);
    gradebook_close(book);
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    pid_t reader = fork();
    if (reader == 0)
        _exit(read_as_somebody_else());
    int code;
    assert_int_equal(waitpid(reader, &code, 0), reader);
    assert_int_equal(chmod(folder, 0700), 0);
    assert_int_equal(code, 0);
    book = NULL;
    assert_int_equal(gradebook_open_to_read("/nowhere/book", &book, NULL), STATUS_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(keeps_attempts_whole),
        TEST(grading_again_is_no_other_attempt),
        TEST(finds_best_and_latest),
        TEST(a_failing_store_leaves_nothing),
        TEST(hostile_text_is_data),
        TEST(a_kill_loses_nothing),
        TEST(two_programs_share_one_book),
        TEST(refuses_a_foreign_database),
        TEST(refuses_a_newer_gradebook),
        TEST(refuses_what_is_no_database),
        TEST(refuses_folders_and_missing_folders),
        TEST(a_book_that_cannot_be_written_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
