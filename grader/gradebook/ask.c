/* Asking the gradebook. What is a grade is said by the views; here their rows become structs. */
#include "grader/gradebook/gradebook_private.h"

#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- what need not be graded -------------------------------------------------------------- */

enum status gradebook_is_current(struct gradebook *book, const struct gradebook_key *key,
                                 int64_t *attempt, struct error *error) {
    struct query query = query_prepare(
        book, "SELECT a.id FROM attempt a WHERE a.student = :student AND a.exercise = :exercise"
              " AND a.commit_id = :commit AND a.path = :path AND a.submission_sha256 = :submission"
              " AND a.exercise_version = :version AND EXISTS (SELECT 1 FROM grading g"
              " WHERE g.id = (SELECT max(l.id) FROM grading l WHERE l.attempt = a.id)"
              " AND g.tool_version = :tool AND g.engine = :engine AND g.device = :device"
              " AND (:since = 0 OR (g.run >= :since AND g.seed = :seed)))");
    query_text(&query, ":student", key->student);
    query_text(&query, ":exercise", key->exercise);
    query_text(&query, ":commit", key->commit);
    query_text(&query, ":path", key->path);
    query_text(&query, ":submission", key->submission_sha256);
    query_text(&query, ":version", key->exercise_version);
    query_text(&query, ":tool", key->tool_version);
    query_text(&query, ":engine", key->engine);
    query_text(&query, ":device", key->device);
    query_integer(&query, ":seed", (int64_t)key->seed);
    query_integer(&query, ":since", key->not_before);
    *attempt = query_next(&query) ? sqlite3_column_int64(query.statement, 0) : 0;
    return query_end(&query, error);
}

/* ---- reports ------------------------------------------------------------------------------ */

/* Of a row of report, report_bytes, report_sha256. NULL: damaged. */
static char *unpack_row(const struct query *query, size_t *length) {
    int64_t bytes = sqlite3_column_int64(query->statement, 1);
    const void *packed = sqlite3_column_blob(query->statement, 0);
    size_t packed_length = (size_t)sqlite3_column_bytes(query->statement, 0);
    if (bytes < 0 || bytes > GRADEBOOK_MAX_REPORT_BYTES || !packed)
        return NULL;
    *length = (size_t)bytes;
    char *json = packed_open(packed, packed_length, *length);
    if (!json)
        return NULL;
    char hex[65];
    const struct sha256 hash = hash_bytes(json, *length);
    hash_hex(&hash, hex);
    if (strcmp(hex, query_string(query, 2)) == 0)
        return json;
    free(json);
    return NULL;
}

enum status gradebook_same_submission(struct gradebook *book, const struct gradebook_key *key,
                                      char **json, size_t *length, struct error *error) {
    struct query query = query_prepare(
        book, "SELECT g.report, g.report_bytes, g.report_sha256 FROM attempt a"
              " JOIN grading g ON g.attempt = a.id WHERE a.submission_sha256 = :submission"
              " AND a.exercise = :exercise AND a.exercise_version = :version"
              " AND g.tool_version = :tool AND g.engine = :engine AND g.device = :device"
              " AND g.seed = :seed AND (:since = 0 OR g.run >= :since) ORDER BY g.id");
    query_text(&query, ":exercise", key->exercise);
    query_text(&query, ":submission", key->submission_sha256);
    query_text(&query, ":version", key->exercise_version);
    query_text(&query, ":tool", key->tool_version);
    query_text(&query, ":engine", key->engine);
    query_text(&query, ":device", key->device);
    query_integer(&query, ":seed", (int64_t)key->seed);
    query_integer(&query, ":since", key->not_before);
    *json = NULL;
    /* A damaged one is no reason not to grade. */
    while (!*json && query_next(&query))
        *json = unpack_row(&query, length);
    enum status status = query_end(&query, error);
    if (status != STATUS_OK) {
        free(*json);
        *json = NULL;
    }
    return status;
}

enum status gradebook_report(struct gradebook *book, int64_t grading, char **json, size_t *length,
                             struct error *error) {
    struct query query = query_prepare(
        book, "SELECT report, report_bytes, report_sha256 FROM grading WHERE id = :id");
    query_integer(&query, ":id", grading);
    *json = NULL;
    bool found = query_next(&query);
    if (found)
        *json = unpack_row(&query, length);
    enum status status = query_end(&query, error);
    if (status == STATUS_OK && !*json)
        status = book_refuse(book, STATUS_INVALID, error,
                             found ? "the report of grading %lld is damaged"
                                   : "there is no grading %lld",
                             (long long)grading);
    return status;
}

/* ---- one grade ---------------------------------------------------------------------------- */

static const char *const find_sql[] = {
#define COLUMNS                                                                                    \
    "SELECT t.points, t.max_score, t.passed, t.verdict, t.commit_id, t.committed_at, t.graded_at," \
    " t.seed, t.message, t.branch, t.path, t.jail, t.penalty, t.penalty_percent, t.days_late,"     \
    " t.penalty_reason, t.final, t.attempt, t.grading FROM "
#define PLACE " WHERE t.student = :student AND t.exercise = :exercise"
    [GRADEBOOK_LATEST] = COLUMNS "attempt_result t" PLACE " ORDER BY t.chosen DESC LIMIT 1",
    [GRADEBOOK_BEST] = COLUMNS "attempt_result t" PLACE " ORDER BY CASE WHEN t.max_score > 0 THEN"
                               " t.final / t.max_score ELSE 0 END DESC, t.dated, t.attempt LIMIT 1",
    [GRADEBOOK_COUNTED] = COLUMNS "attempt_result t" PLACE " AND t.attempt = (SELECT attempt FROM"
                                  " grades WHERE student = :student AND exercise = :exercise)",
#undef PLACE
};
static const char attempt_sql[] = COLUMNS "attempt_result t WHERE t.attempt = :attempt";
#undef COLUMNS

static void fill_row(const struct query *query, struct gradebook_row *row) {
    sqlite3_stmt *from = query->statement;
    row->score = sqlite3_column_double(from, 0);
    row->max_score = sqlite3_column_double(from, 1);
    row->passed = sqlite3_column_int(from, 2) != 0;
    query_fill(query, 3, row->verdict, sizeof row->verdict);
    query_fill(query, 4, row->commit, sizeof row->commit);
    row->committed_at = sqlite3_column_int64(from, 5);
    row->graded_at = sqlite3_column_int64(from, 6);
    row->seed = (uint64_t)sqlite3_column_int64(from, 7);
    query_fill(query, 8, row->message, sizeof row->message);
    query_fill(query, 9, row->branch, sizeof row->branch);
    query_fill(query, 10, row->path, sizeof row->path);
    query_fill(query, 11, row->jail, sizeof row->jail);
    row->penalty = sqlite3_column_double(from, 12);
    row->penalty_percent = sqlite3_column_double(from, 13);
    row->days_late = sqlite3_column_double(from, 14);
    query_fill(query, 15, row->penalty_reason, sizeof row->penalty_reason);
    row->final = sqlite3_column_double(from, 16);
    row->attempt = sqlite3_column_int64(from, 17);
    row->grading = sqlite3_column_int64(from, 18);
}

enum status gradebook_find(struct gradebook *book, const char *student, const char *exercise,
                           enum gradebook_choice choice, struct gradebook_row *row,
                           struct error *error) {
    *row = (struct gradebook_row){0};
    struct query query = query_prepare(book, find_sql[choice]);
    query_text(&query, ":student", student);
    query_text(&query, ":exercise", exercise);
    if (query_next(&query))
        fill_row(&query, row);
    enum status status = query_end(&query, error);
    if (status != STATUS_OK)
        return status;
    query = query_prepare(book, "SELECT attempts, submissions, override, final, state = 'override'"
                                " FROM grades WHERE student = :student AND exercise = :exercise");
    query_text(&query, ":student", student);
    query_text(&query, ":exercise", exercise);
    if (query_next(&query)) {
        row->attempts = (size_t)sqlite3_column_int64(query.statement, 0);
        row->submissions = (size_t)sqlite3_column_int64(query.statement, 1);
        query_fill(&query, 2, row->override, sizeof row->override);
        row->has_override = sqlite3_column_int(query.statement, 4) != 0;
        if (row->has_override)
            row->final = sqlite3_column_double(query.statement, 3);
    }
    return query_end(&query, error);
}

enum status gradebook_find_attempt(struct gradebook *book, int64_t attempt,
                                   struct gradebook_row *row, struct error *error) {
    *row = (struct gradebook_row){0};
    struct query query = query_prepare(book, attempt_sql);
    query_integer(&query, ":attempt", attempt);
    bool found = query_next(&query);
    if (found)
        fill_row(&query, row);
    row->attempts = found;
    enum status status = query_end(&query, error);
    return status != STATUS_OK || found
               ? status
               : book_refuse(book, STATUS_INVALID, error, "there is no attempt %lld",
                             (long long)attempt);
}

/* ---- all grades --------------------------------------------------------------------------- */

static struct gradebook_grade read_grade(const struct query *query) {
    sqlite3_stmt *from = query->statement;
    return (struct gradebook_grade){
        .student = query_copy(query, 0),
        .name = query_copy(query, 1),
        .exercise = query_copy(query, 2),
        .state = query_copy(query, 3),
        .has_points = sqlite3_column_type(from, 4) != SQLITE_NULL,
        .points = sqlite3_column_double(from, 4),
        .penalty = sqlite3_column_double(from, 5),
        .final = sqlite3_column_double(from, 6),
        .max_score = sqlite3_column_double(from, 7),
        .percent = sqlite3_column_double(from, 8),
        .weight = sqlite3_column_double(from, 9),
        .attempts = (size_t)sqlite3_column_int64(from, 10),
        .submissions = (size_t)sqlite3_column_int64(from, 11),
        .verdict = query_copy(query, 12),
        .override = query_copy(query, 13),
        .message = query_copy(query, 14),
        .penalty_reason = query_copy(query, 15),
        .commit = query_copy(query, 16),
        .passed = sqlite3_column_int(from, 17) != 0,
        .present = sqlite3_column_int(from, 18) != 0,
        .committed_at = sqlite3_column_int64(from, 19),
        .graded_at = sqlite3_column_int64(from, 20),
        .attempt = sqlite3_column_int64(from, 21),
        .grading = sqlite3_column_int64(from, 22),
    };
}

enum status gradebook_grades(struct gradebook *book, const struct gradebook_filter *filter,
                             struct gradebook_grades *grades, struct error *error) {
    *grades = (struct gradebook_grades){0};
    enum status status = gradebook_check_ids(book, filter->student, filter->exercise, error);
    if (status != STATUS_OK)
        return status;
    struct query query = query_prepare(
        book, "SELECT student, name, exercise, state, points, penalty, final, max_score, percent,"
              " weight, attempts, submissions, verdict, override, message, penalty_reason,"
              " commit_id, passed, present, committed_at, graded_at, attempt, grading FROM grades"
              " WHERE (:student = '' OR student = :student)"
              " AND (:exercise = '' OR exercise = :exercise)"
              " AND (NOT :missing OR state NOT IN ('graded', 'override'))"
              " AND (:absent OR present OR (:student <> '' AND :exercise <> ''))");
    query_text(&query, ":student", filter->student);
    query_text(&query, ":exercise", filter->exercise);
    query_integer(&query, ":missing", filter->missing);
    query_integer(&query, ":absent", filter->absent);
    while (query_next(&query))
        *mem_push(&grades->rows, &grades->count, &grades->capacity) = read_grade(&query);
    status = query_end(&query, error);
    if (status != STATUS_OK)
        gradebook_grades_free(grades);
    return status;
}

void gradebook_grades_free(struct gradebook_grades *grades) {
    for (size_t i = 0; i < grades->count; i++) {
        struct gradebook_grade *row = &grades->rows[i];
        free(row->student);
        free(row->name);
        free(row->exercise);
        free(row->state);
        free(row->verdict);
        free(row->override);
        free(row->message);
        free(row->penalty_reason);
        free(row->commit);
    }
    free(grades->rows);
    *grades = (struct gradebook_grades){0};
}

enum status gradebook_totals(struct gradebook *book, struct gradebook_totals *totals,
                             struct error *error) {
    *totals = (struct gradebook_totals){0};
    struct query query = query_prepare(
        book, "SELECT student, name, points, max_score, percent, graded, missing, exercises"
              " FROM totals");
    while (query_next(&query))
        *mem_push(&totals->rows, &totals->count, &totals->capacity) = (struct gradebook_total){
            .student = query_copy(&query, 0),
            .name = query_copy(&query, 1),
            .points = sqlite3_column_double(query.statement, 2),
            .max_score = sqlite3_column_double(query.statement, 3),
            .percent = sqlite3_column_double(query.statement, 4),
            .graded = (size_t)sqlite3_column_int64(query.statement, 5),
            .missing = (size_t)sqlite3_column_int64(query.statement, 6),
            .exercises = (size_t)sqlite3_column_int64(query.statement, 7),
        };
    enum status status = query_end(&query, error);
    if (status != STATUS_OK)
        gradebook_totals_free(totals);
    return status;
}

void gradebook_totals_free(struct gradebook_totals *totals) {
    for (size_t i = 0; i < totals->count; i++) {
        free(totals->rows[i].student);
        free(totals->rows[i].name);
    }
    free(totals->rows);
    *totals = (struct gradebook_totals){0};
}
