/* Verify finds what is damaged, by row, and a hostile report is no more than an error. */
#include "tests/source_folder.h"
#include "tests/unit/gradebook/book.h"

#include "grader/gradebook/inspect.h"
#include "reports/stored/stored.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/verdict.h"

#include <zlib.h>

static char *report_text;
static struct stored_reports stored;

static int read_golden(const char *name) {
    char file[300];
    size_t length;
    snprintf(file, sizeof file, "%s/tests/golden/reports/%s.json", WARPGRADE_SOURCE_DIR, name);
    return file_read(file, 1 << 24, &report_text, &length, NULL) == STATUS_OK &&
                   stored_read(report_text, length, NULL, &stored, NULL) == STATUS_OK
               ? 0
               : -1;
}

static int read_report(void **state) {
    (void)state;
    return read_golden("partial-credit");
}

static int free_report(void **state) {
    (void)state;
    free(report_text);
    stored_free(&stored);
    return 0;
}

static void store_report(const char *commit) {
    const struct report *report = stored.reports[0];
    struct gradebook *book = open_book();
    struct gradebook_attempt attempt = attempt_of("ada", commit, report->score);
    struct gradebook_case *items = mem_calloc(report->case_count, sizeof *items);
    for (size_t i = 0; i < report->case_count; i++)
        items[i] = (struct gradebook_case){.name = report->cases[i].name,
                                           .group = report->cases[i].group,
                                           .verdict = verdict_infos[report->cases[i].verdict].name,
                                           .score = report->cases[i].score,
                                           .max_score = report->cases[i].max_score};
    attempt.max_score = report->max_score;
    attempt.submission_sha256 = report->sha256;
    attempt.verdict = verdict_infos[report->verdict].name;
    attempt.report_json = report_text;
    attempt.cases = items;
    attempt.case_count = report->case_count;
    store(book, &attempt);
    gradebook_close(book);
    free(items);
}

/* Triggers forbid it; whoever owns the file can do it all the same. */
static void damage(const char *table, const char *sql) {
    sqlite3 *database;
    sqlite3_stmt *statement;
    char text[256];
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    snprintf(text, sizeof text, "SELECT sql FROM sqlite_master WHERE name = '%s_is_not_changed'",
             table);
    assert_int_equal(sqlite3_prepare_v2(database, text, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    char *trigger = mem_strdup((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    snprintf(text, sizeof text, "DROP TRIGGER %s_is_not_changed", table);
    assert_int_equal(sqlite3_exec(database, text, NULL, NULL, NULL), SQLITE_OK);
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    assert_int_equal(sqlite3_exec(database, trigger, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
    free(trigger);
}

static void note(void *context, const char *where, const char *what) {
    char *all = context;
    size_t length = strlen(all);
    snprintf(all + length, 2000 - length, "%s: %s\n", where, what);
}

static void assert_verified(const char *wanted) {
    char all[2000] = "";
    struct gradebook_verified verified;
    struct error error;
    struct gradebook *book = open_book();
    if (gradebook_verify(book, note, all, &verified, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    gradebook_close(book);
    assert_string_equal(all, wanted);
}

static void a_whole_book_has_no_faults(void **state) {
    (void)state;
    store_report("c1");
    store_report("c2");
    assert_verified("");
}

static const struct {
    const char *table, *sql, *complaint;
} faults[] = {
    {"grading", "UPDATE grading SET score = score + 1 WHERE id = 2",
     "grading 2: has other points than its report\n"},
    {"grading", "UPDATE grading SET verdict = 'x' WHERE id = 2",
     "grading 2: has another verdict than its report\n"},
    {"grading", "UPDATE grading SET report_sha256 = 'x' WHERE id = 2",
     "grading 2: the report of grading 2 is damaged\n"},
    {"grading", "UPDATE grading SET report = zeroblob(9) WHERE id = 2",
     "grading 2: the report of grading 2 is damaged\n"},
    {"grading", "UPDATE grading SET report_bytes = report_bytes - 1 WHERE id = 2",
     "grading 2: the report of grading 2 is damaged\n"},
    {"case_result", "UPDATE case_result SET score = score + 1 WHERE grading = 2 AND position = 0",
     "grading 2: case 1 is not the report's\n"},
    {"attempt", "UPDATE attempt SET submission_sha256 = 'x' WHERE id = 2",
     "grading 2: its report is about another submission\n"},
    {"grading", "UPDATE grading SET attempt = 1 WHERE id = 2", "attempt 2: has no grading\n"},
    {"grading", "UPDATE grading SET attempt = 77 WHERE id = 2",
     "grading 2: names a row of attempt that is not there\nattempt 2: has no grading\n"
     "grading 2: its report is about another submission\n"},
};

static void damage_is_named_by_row(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        store_report("c1");
        store_report("c2");
        damage(faults[i].table, faults[i].sql);
        assert_verified(faults[i].complaint);
        char other[600];
        static const char *const endings[] = {"", "-wal", "-shm"};
        for (int k = 0; k < 3; k++) {
            snprintf(other, sizeof other, "%s%s", path, endings[k]);
            unlink(other);
        }
    }
}

static void points_must_add_up(void **state) {
    free_report(state);
    assert_int_equal(read_golden("race"), 0); /* made for its looks: 30 points of cases with 10 */
    store_report("c1");
    assert_verified("grading 1: its cases do not add up to its points\n");
    free_report(state);
    assert_int_equal(read_report(state), 0);
}

/* A hundred megabytes of zeros in one; once its row says so, and once it says that it is small. */
static void a_bomb_is_an_error(void **state) {
    (void)state;
    store_report("c1");
    static const char zeros[1 << 20];
    struct text packed = {0};
    z_stream stream = {0};
    char buffer[4096];
    assert_int_equal(deflateInit(&stream, Z_BEST_SPEED), Z_OK);
    for (int i = 0; i <= 100; i++) {
        stream.next_in = (Bytef *)(uintptr_t)zeros;
        stream.avail_in = sizeof zeros;
        do {
            stream.next_out = (Bytef *)buffer;
            stream.avail_out = sizeof buffer;
            deflate(&stream, i == 100 ? Z_FINISH : Z_NO_FLUSH);
            text_append_bytes(&packed, buffer, sizeof buffer - stream.avail_out);
        } while (stream.avail_out == 0);
    }
    deflateEnd(&stream);
    struct text sql = {0};
    text_append(&sql, "UPDATE grading SET report_bytes = 105906176, report = x'");
    for (size_t i = 0; i < packed.length; i++)
        text_printf(&sql, "%02x", (unsigned char)packed.data[i]);
    text_append(&sql, "'");
    damage("grading", text_string(&sql));
    assert_verified("grading 1: the report of grading 1 is damaged\n");
    damage("grading", "UPDATE grading SET report_bytes = 100");
    assert_verified("grading 1: the report of grading 1 is damaged\n");
    damage("grading", "UPDATE grading SET report_bytes = -1");
    assert_verified("grading 1: the report of grading 1 is damaged\n");
    text_free(&packed);
    text_free(&sql);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_whole_book_has_no_faults),
        TEST(damage_is_named_by_row),
        TEST(points_must_add_up),
        TEST(a_bomb_is_an_error),
    };
    return cmocka_run_group_tests(tests, read_report, free_report);
}
