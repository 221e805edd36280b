/* The schema: files of versions 1 and 2, made with the SQL of their time, come to today's with all
 * that they hold; a schema that somebody changed is refused; facts can only be added. */
#include "tests/source_folder.h"
#include "tests/unit/gradebook/book.h"

#include <sys/wait.h>

/* As version 1 made it. Version 2 added the column `jail`. */
static const char *const version_1 =
    "CREATE TABLE attempt (id INTEGER PRIMARY KEY AUTOINCREMENT, student TEXT NOT NULL,"
    "  student_name TEXT NOT NULL, exercise TEXT NOT NULL, repository TEXT NOT NULL,"
    "  branch TEXT NOT NULL, commit_id TEXT NOT NULL, path TEXT NOT NULL,"
    "  committed_at INTEGER NOT NULL, graded_at INTEGER NOT NULL,"
    "  submission_sha256 TEXT NOT NULL, exercise_sha256 TEXT NOT NULL, seed INTEGER NOT NULL,"
    "  engine TEXT NOT NULL, tool_version TEXT NOT NULL, score REAL NOT NULL,"
    "  max_score REAL NOT NULL, passed INTEGER NOT NULL CHECK (passed IN (0, 1)),"
    "  verdict TEXT NOT NULL, message TEXT NOT NULL, report TEXT NOT NULL,"
    "  UNIQUE (student, exercise, commit_id, path, submission_sha256, exercise_sha256, seed,"
    "          engine, tool_version));"
    "CREATE TABLE case_result (attempt_id INTEGER NOT NULL REFERENCES attempt (id) ON DELETE "
    "CASCADE,"
    "  position INTEGER NOT NULL, name TEXT NOT NULL, case_group TEXT NOT NULL,"
    "  verdict TEXT NOT NULL, score REAL NOT NULL, max_score REAL NOT NULL, message TEXT NOT NULL,"
    "  PRIMARY KEY (attempt_id, position)) WITHOUT ROWID;"
    "PRAGMA application_id = 1464291906; PRAGMA user_version = 1;";

/* ada graded twice with two seeds, and her next commit; ben once. */
static const char *const rows =
    "INSERT INTO attempt (student, student_name, exercise, repository, branch, commit_id, path,"
    " committed_at, graded_at, submission_sha256, exercise_sha256, seed, engine, tool_version, "
    "score,"
    " max_score, passed, verdict, message, report) VALUES"
    " ('ada', 'Ada', 'dot', '/ada', 'main', 'c1', 'dot.cu', 10, 20, 's1', 'x', 1, 'sim', '0.1', 9, "
    "10,"
    "  1, 'pass', '', '{\"a\": \"\xc3\xa9\"}'),"
    " ('ada', 'Ada', 'dot', '/ada', 'main', 'c1', 'dot.cu', 10, 30, 's1', 'x', 2, 'sim', '0.1', 7, "
    "10,"
    "  1, 'pass', 'second draw', '{}'),"
    " ('ada', 'Ada L.', 'dot', '/ada2', 'main', 'c2', 'dot.cu', 15, 25, 's2', 'x', 2, 'sim', "
    "'0.1', 6, 10,"
    "  1, 'pass', '', '{}'),"
    " ('ben', 'Ben', 'sum', '/ben', 'main', 'c9', 'sum.cu', 15, 41, 's3', 'y', 2, 'sim', '0.1', 0, "
    "10,"
    "  0, 'hazard', '', '{}');"
    "INSERT INTO case_result SELECT id, 0, 'a', 'boundary', 'pass', score, 10, '' FROM attempt;";

static void assert_taken_over(const char *jail) {
    struct gradebook *book = open_book();
    struct gradebook_row row;
    assert_int_equal(gradebook_find(book, "ada", "dot", GRADEBOOK_BEST, &row, NULL), STATUS_OK);
    assert_int_equal(row.attempts, 2);
    assert_true(row.score == 7); /* of its two gradings the latest */
    assert_string_equal(row.message, "second draw");
    assert_string_equal(row.jail, jail);
    assert_int_equal(gradebook_find(book, "ada", "dot", GRADEBOOK_LATEST, &row, NULL), STATUS_OK);
    assert_string_equal(row.commit, "c1"); /* the branch went back to it */
    char *json;
    size_t length;
    assert_int_equal(gradebook_report(book, 1, &json, &length, NULL), STATUS_OK);
    assert_string_equal(json, "{\"a\": \"\xc3\xa9\"}");
    assert_int_equal(length, strlen(json));
    free(json);
    struct gradebook_totals totals;
    assert_int_equal(gradebook_totals(book, &totals, NULL), STATUS_OK);
    assert_int_equal(totals.count, 2);
    assert_string_equal(totals.rows[0].name, "Ada L.");
    gradebook_totals_free(&totals);
    struct gradebook_attempt next = attempt_of("ada", "c3", 9); /* and it goes on */
    store(book, &next);
    assert_int_equal(gradebook_find(book, "ada", "dot", GRADEBOOK_BEST, &row, NULL), STATUS_OK);
    assert_int_equal(row.attempts, 3);
    gradebook_close(book);
    gradebook_close(open_book());
    assert_int_equal(ask("PRAGMA user_version"), GRADEBOOK_SCHEMA);
    assert_int_equal(ask("SELECT count(*) FROM grading"), 5);
    assert_int_equal(ask("SELECT count(*) FROM case_result WHERE name = 'a'"
                         " AND case_group = 'boundary'"),
                     4);
    assert_int_equal(ask("SELECT count(*) FROM pragma_foreign_key_check"), 0);
    assert_int_equal(ask("SELECT count(*) FROM sqlite_master WHERE name LIKE 'old%'"), 0);
}

static void takes_over_version_1(void **state) {
    (void)state;
    tell(version_1);
    tell(rows);
    assert_taken_over("");
}

static void takes_over_version_2(void **state) {
    (void)state;
    tell(version_1);
    tell("ALTER TABLE attempt ADD COLUMN jail TEXT NOT NULL DEFAULT ''; PRAGMA user_version = 2");
    tell(rows);
    tell("UPDATE attempt SET jail = 'bubblewrap'");
    assert_taken_over("bubblewrap");
}

/* Several programs find the same old file: one of them takes it over. */
static void one_of_many_takes_over(void **state) {
    (void)state;
    enum { PROGRAMS = 4 };
    pid_t children[PROGRAMS];
    tell(version_1);
    tell(rows);
    for (int i = 0; i < PROGRAMS; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            struct gradebook *book;
            struct error error;
            if (gradebook_open(path, &book, &error) != STATUS_OK) {
                fprintf(stderr, "%s\n", error.message);
                _exit(1);
            }
            gradebook_close(book);
            _exit(0);
        }
    }
    for (int i = 0; i < PROGRAMS; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(ask("SELECT count(*) FROM grading"), 4);
    assert_int_equal(ask("SELECT count(*) FROM attempt"), 3);
}

static void assert_open(enum status wanted, const char *message) {
    struct gradebook *book;
    struct error error = {0};
    enum status status = gradebook_open(path, &book, &error);
    if (status != wanted || !strstr(error.message, message))
        fail_msg("status %d: %s", status, error.message);
    gradebook_close(book);
}

/* Somebody's gradebook may come by mail. */
static void refuses_what_acts_in_it(void **state) {
    (void)state;
    tell(version_1);
    tell("CREATE TRIGGER t AFTER DELETE ON attempt BEGIN SELECT 1; END");
    assert_open(STATUS_INVALID, "what warpgrade did not make");
    tell("DROP TRIGGER t");
    assert_open(STATUS_OK, "");
    tell("CREATE TABLE mine (x); CREATE VIEW ours AS SELECT * FROM mine");
    assert_open(STATUS_OK, "");
    tell("CREATE TRIGGER zz AFTER INSERT ON grading BEGIN UPDATE student SET name = 'x'; END");
    assert_open(STATUS_INVALID, "zz is not as warpgrade makes it");
    tell("DROP TRIGGER zz; CREATE INDEX a_quick ON grading (abs(score))");
    assert_open(STATUS_INVALID, "a_quick is not as");
    tell("DROP INDEX a_quick; DROP VIEW totals; CREATE VIEW totals AS SELECT 1");
    assert_open(STATUS_INVALID, "totals is not as");
}

static void refuses_a_missing_part(void **state) {
    (void)state;
    gradebook_close(open_book());
    tell("DROP TRIGGER grading_is_not_deleted");
    assert_open(STATUS_INVALID, "grading_is_not_deleted is not as");
}

static void assert_forbidden(const char *sql) {
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_CONSTRAINT)
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    sqlite3_close(database);
}

static void facts_are_only_added(void **state) {
    (void)state;
    struct gradebook *book = open_book();
    struct gradebook_attempt attempt = attempt_of("ada", "c1", 8);
    attempt.penalty = (struct gradebook_penalty){.percent = 10, .reason = "late"};
    const struct gradebook_run run = {.started_at = 1, .tool_version = "0"};
    assert_int_equal(gradebook_run_begin(book, &run, &attempt.run, NULL), STATUS_OK);
    store(book, &attempt);
    const struct gradebook_absence absence = {.student = "ada", .exercise = "dot", .state = "x"};
    assert_int_equal(gradebook_store_absence(book, &absence, NULL), STATUS_OK);
    struct gradebook_override override = {
        .student = "ada", .exercise = "dot", .value = 1, .who = "me", .why = "so"};
    assert_int_equal(gradebook_override(book, &override, NULL), STATUS_OK);
    assert_int_equal(gradebook_withdraw(book, &override, NULL), STATUS_OK);
    assert_int_equal(gradebook_run_finish(book, attempt.run, 2, NULL), STATUS_OK);
    assert_int_equal(gradebook_run_finish(book, attempt.run, 3, NULL), STATUS_ENVIRONMENT);
    gradebook_close(book);
    static const char *const facts[] = {"attempt", "grading", "case_result", "penalty",
                                        "choice",  "absence", "override",    "withdrawal"};
    char sql[128];
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        snprintf(sql, sizeof sql, "DELETE FROM %s", facts[i]);
        assert_forbidden(sql);
        const char *column = i == 2 ? "position" : i == 7 ? "override" : "id";
        snprintf(sql, sizeof sql, "UPDATE %s SET %s = 77", facts[i], column);
        assert_forbidden(sql);
    }
    assert_forbidden("DELETE FROM student");
    assert_forbidden("DELETE FROM exercise");
    assert_forbidden("DELETE FROM run");
    assert_forbidden("UPDATE run SET seed = 77");
}

/* README.md has a line for each table and view, and for nothing else. */
static void the_page_names_every_table(void **state) {
    (void)state;
    char *page;
    size_t length;
    gradebook_close(open_book());
    assert_int_equal(file_read(WARPGRADE_SOURCE_DIR "/grader/gradebook/README.md", 1 << 20, &page,
                               &length, NULL),
                     STATUS_OK);
    sqlite3 *database;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database,
                                        "SELECT name, type FROM sqlite_master WHERE type IN"
                                        " ('table', 'view') AND name NOT LIKE 'sqlite%'",
                                        -1, &statement, NULL),
                     SQLITE_OK);
    const char *begin = strstr(page, "| table or view |");
    assert_non_null(begin);
    int named = 0, there = 0;
    for (const char *line = begin; (line = strstr(line, "\n| `")); line++)
        named++;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        char line[128];
        there++;
        snprintf(line, sizeof line, "\n| `%s` | %s", sqlite3_column_text(statement, 0),
                 sqlite3_column_text(statement, 1)[0] == 'v' ? "view: " : "");
        if (!strstr(begin, line))
            fail_msg("README.md has no line \"%s\"", line + 1);
    }
    assert_int_equal(named, there);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_of_many_takes_over),     TEST(takes_over_version_1),   TEST(takes_over_version_2),
        TEST(refuses_what_acts_in_it),    TEST(refuses_a_missing_part), TEST(facts_are_only_added),
        TEST(the_page_names_every_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
