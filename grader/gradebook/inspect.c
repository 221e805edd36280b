/* Rows of the views `standing` and `history`, and an exercise as the course has it. */
#include "grader/gradebook/inspect.h"
#include "grader/gradebook/gradebook_private.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum status gradebook_exercise_info(struct gradebook *book, const char *exercise,
                                    struct gradebook_exercise_info *info, struct error *error) {
    *info = (struct gradebook_exercise_info){0};
    struct query query = query_prepare(
        book, "SELECT title, version, weight, max_score, deadline, counts, attempt_limit"
              " FROM exercise WHERE id = :exercise");
    query_text(&query, ":exercise", exercise);
    if (query_next(&query)) {
        query_fill(&query, 0, info->title, sizeof info->title);
        query_fill(&query, 1, info->version, sizeof info->version);
        info->weight = sqlite3_column_double(query.statement, 2);
        info->max_score = sqlite3_column_double(query.statement, 3);
        info->deadline = sqlite3_column_int64(query.statement, 4);
        info->counts_last = strcmp(query_string(&query, 5), "last") == 0;
        info->attempt_limit = (unsigned)sqlite3_column_int64(query.statement, 6);
    }
    return query_end(&query, error);
}

/* ---- attempts ----------------------------------------------------------------------------- */

static struct gradebook_standing read_standing(const struct query *query) {
    sqlite3_stmt *from = query->statement;
    return (struct gradebook_standing){
        .attempt = sqlite3_column_int64(from, 0),
        .grading = sqlite3_column_int64(from, 1),
        .number = (size_t)sqlite3_column_int64(from, 2),
        .excluded = query_copy(query, 3),
        .pinned = sqlite3_column_int(from, 4) != 0,
        .points = sqlite3_column_double(from, 5),
        .penalty = sqlite3_column_double(from, 6),
        .penalty_percent = sqlite3_column_double(from, 7),
        .days_late = sqlite3_column_double(from, 8),
        .final = sqlite3_column_double(from, 9),
        .max_score = sqlite3_column_double(from, 10),
        .penalty_reason = query_copy(query, 11),
        .version = query_copy(query, 12),
        .branch = query_copy(query, 13),
        .commit = query_copy(query, 14),
        .path = query_copy(query, 15),
        .date_flags = query_copy(query, 16),
        .tool = query_copy(query, 17),
        .engine = query_copy(query, 18),
        .device = query_copy(query, 19),
        .jail = query_copy(query, 20),
        .verdict = query_copy(query, 21),
        .message = query_copy(query, 22),
        .authored_at = sqlite3_column_int64(from, 23),
        .committed_at = sqlite3_column_int64(from, 24),
        .fetched_at = sqlite3_column_int64(from, 25),
        .graded_at = sqlite3_column_int64(from, 26),
        .seed = (uint64_t)sqlite3_column_int64(from, 27),
    };
}

enum status gradebook_standings(struct gradebook *book, const char *student, const char *exercise,
                                struct gradebook_standings *standings, struct error *error) {
    *standings = (struct gradebook_standings){0};
    struct query query = query_prepare(
        book, "SELECT attempt, grading, number, excluded, pinned, points, penalty,"
              " penalty_percent, days_late, final, max_score, penalty_reason, exercise_version,"
              " branch, commit_id, path, date_flags, tool_version, engine, device, jail, verdict,"
              " message, authored_at, committed_at, fetched_at, graded_at, seed FROM standing"
              " WHERE student = :student AND exercise = :exercise ORDER BY dated, attempt");
    query_text(&query, ":student", student);
    query_text(&query, ":exercise", exercise);
    while (query_next(&query))
        *mem_push(&standings->rows, &standings->count, &standings->capacity) =
            read_standing(&query);
    enum status status = query_end(&query, error);
    if (status != STATUS_OK)
        gradebook_standings_free(standings);
    return status;
}

void gradebook_standings_free(struct gradebook_standings *standings) {
    for (size_t i = 0; i < standings->count; i++) {
        struct gradebook_standing *row = &standings->rows[i];
        char *const strings[] = {row->excluded, row->penalty_reason, row->version,    row->branch,
                                 row->commit,   row->path,           row->date_flags, row->tool,
                                 row->engine,   row->device,         row->jail,       row->verdict,
                                 row->message};
        for (size_t k = 0; k < ARRAY_LENGTH(strings); k++)
            free(strings[k]);
    }
    free(standings->rows);
    *standings = (struct gradebook_standings){0};
}

enum status gradebook_case_rows(struct gradebook *book, int64_t grading,
                                struct gradebook_case_rows *cases, struct error *error) {
    *cases = (struct gradebook_case_rows){0};
    struct query query = query_prepare(
        book, "SELECT name, case_group, verdict, message, score, max_score FROM case_result"
              " WHERE grading = :grading ORDER BY position");
    query_integer(&query, ":grading", grading);
    while (query_next(&query))
        *mem_push(&cases->rows, &cases->count, &cases->capacity) = (struct gradebook_case_row){
            .name = query_copy(&query, 0),
            .group = query_copy(&query, 1),
            .verdict = query_copy(&query, 2),
            .message = query_copy(&query, 3),
            .score = sqlite3_column_double(query.statement, 4),
            .max_score = sqlite3_column_double(query.statement, 5),
        };
    enum status status = query_end(&query, error);
    if (status != STATUS_OK)
        gradebook_case_rows_free(cases);
    return status;
}

void gradebook_case_rows_free(struct gradebook_case_rows *cases) {
    for (size_t i = 0; i < cases->count; i++) {
        free(cases->rows[i].name);
        free(cases->rows[i].group);
        free(cases->rows[i].verdict);
        free(cases->rows[i].message);
    }
    free(cases->rows);
    *cases = (struct gradebook_case_rows){0};
}

/* ---- all that happened -------------------------------------------------------------------- */

enum status gradebook_history(struct gradebook *book, const char *student, const char *exercise,
                              struct gradebook_events *events, struct error *error) {
    *events = (struct gradebook_events){0};
    enum status status = gradebook_check_ids(book, student, exercise, error);
    if (status != STATUS_OK)
        return status;
    struct query query =
        query_prepare(book, "SELECT at, kind, student, exercise, what, who FROM history"
                            " WHERE (:student = '' OR student = :student)"
                            " AND (:exercise = '' OR exercise = :exercise)");
    query_text(&query, ":student", student);
    query_text(&query, ":exercise", exercise);
    while (query_next(&query))
        *mem_push(&events->rows, &events->count, &events->capacity) =
            (struct gradebook_event){sqlite3_column_int64(query.statement, 0),
                                     query_copy(&query, 1),
                                     query_copy(&query, 2),
                                     query_copy(&query, 3),
                                     query_copy(&query, 4),
                                     query_copy(&query, 5)};
    status = query_end(&query, error);
    if (status != STATUS_OK)
        gradebook_events_free(events);
    return status;
}

void gradebook_events_free(struct gradebook_events *events) {
    for (size_t i = 0; i < events->count; i++) {
        free(events->rows[i].kind);
        free(events->rows[i].student);
        free(events->rows[i].exercise);
        free(events->rows[i].what);
        free(events->rows[i].who);
    }
    free(events->rows);
    *events = (struct gradebook_events){0};
}
