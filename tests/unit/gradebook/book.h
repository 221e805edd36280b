/* What the tests of the gradebook share: a book in a folder of its own, and an attempt to store. */
#ifndef WARPGRADE_TESTS_UNIT_GRADEBOOK_BOOK_H
#define WARPGRADE_TESTS_UNIT_GRADEBOOK_BOOK_H

#include "tests/support/git_fixture.h"

#include "grader/gradebook/gradebook.h"

#include <sqlite3.h>

static char *folder;
static char path[512];

static inline int make_folder(void **state) {
    (void)state;
    folder = fixture_fast_folder();
    snprintf(path, sizeof path, "%s/book.sqlite", folder);
    return 0;
}

static inline int remove_folder(void **state) {
    (void)state;
    fixture_remove(folder);
    free(folder);
    return 0;
}

static inline struct gradebook *open_book(void) {
    struct gradebook *book;
    struct error error;
    if (gradebook_open(path, &book, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    return book;
}

enum { CASES = 5 };
static const struct gradebook_case cases[CASES] = {{"a", "correctness", "pass", "", 1, 1},
                                                   {"b", "correctness", "pass", "", 1, 1},
                                                   {"c", "boundary", "hazard", "P[1]", 0, 2},
                                                   {"d", "boundary", "pass", "", 2, 2},
                                                   {"e", "generated", "pass", "\xff", 4, 4}};

static inline struct gradebook_attempt attempt_of(const char *student, const char *commit,
                                                  double score) {
    return (struct gradebook_attempt){.student = student,
                                      .student_name = "Ada",
                                      .exercise = "dot",
                                      .repository = "/srv/ada",
                                      .branch = "main",
                                      .commit = commit,
                                      .path = "dot.cu",
                                      .committed_at = 1000,
                                      .graded_at = 2000,
                                      .submission_sha256 = "aa",
                                      .exercise_version = "bb",
                                      .seed = 0xfedcba9876543210,
                                      .engine = "sim",
                                      .device = "h200",
                                      .tool_version = "0.1.0",
                                      .score = score,
                                      .max_score = 10,
                                      .passed = score >= 6,
                                      .verdict = "hazard",
                                      .jail = "bubblewrap",
                                      .message = "out of bounds",
                                      .report_json = "{}",
                                      .cases = cases,
                                      .case_count = CASES};
}

static inline void store(struct gradebook *book, const struct gradebook_attempt *attempt) {
    struct error error;
    if (gradebook_store(book, attempt, &error) != STATUS_OK)
        fail_msg("%s", error.message);
}

static inline int64_t ask(const char *sql) {
    sqlite3 *database;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    sqlite3_busy_timeout(database, 5000);
    assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return value;
}

static inline void tell(const char *sql) {
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

#endif
