/* Penalties. They follow from the course's terms as they are today, so that every run says them
 * anew of every attempt; what the book says already is not said again. */
#include "grader/gradebook/gradebook_private.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* An attempt of which nothing is said has none. */
static enum status is_said(struct gradebook *book, int64_t attempt,
                           const struct gradebook_penalty *penalty, bool *said,
                           struct error *error) {
    struct query query =
        query_prepare(book, "SELECT percent, days_late, too_late, reason FROM penalty WHERE id ="
                            " (SELECT max(id) FROM penalty WHERE attempt = :attempt)");
    query_integer(&query, ":attempt", attempt);
    if (query_next(&query))
        *said = sqlite3_column_double(query.statement, 0) == penalty->percent &&
                sqlite3_column_double(query.statement, 1) == penalty->days_late &&
                sqlite3_column_int(query.statement, 2) == (int)penalty->too_late &&
                strcmp(query_string(&query, 3), penalty->reason) == 0;
    else
        *said = penalty->percent == 0 && penalty->days_late == 0 && !penalty->too_late &&
                !*penalty->reason;
    return query_end(&query, error);
}

enum status book_add_penalty(struct gradebook *book, int64_t attempt,
                             const struct gradebook_penalty *penalty, int64_t run, int64_t at,
                             struct error *error) {
    bool said;
    enum status status = is_said(book, attempt, penalty, &said, error);
    if (status != STATUS_OK || said)
        return status;
    struct query query = query_prepare(
        book, "INSERT INTO penalty (attempt, run, recorded_at, percent, days_late, too_late,"
              " reason) VALUES (:attempt, :run, :at, :percent, :days, :too_late, :reason)");
    query_integer(&query, ":attempt", attempt);
    query_time(&query, ":run", run);
    query_integer(&query, ":at", at);
    query_real(&query, ":percent", penalty->percent);
    query_real(&query, ":days", penalty->days_late);
    query_integer(&query, ":too_late", penalty->too_late);
    query_text(&query, ":reason", penalty->reason);
    return query_run(&query, error);
}

enum status gradebook_dates(struct gradebook *book, struct gradebook_dates *dates,
                            struct error *error) {
    *dates = (struct gradebook_dates){0};
    struct query query = query_prepare(
        book, "SELECT t.attempt, t.student, t.exercise, t.committed_at, t.score, t.max_score,"
              " t.pinned, t.penalty_percent, t.days_late, t.too_late, t.penalty_reason"
              " FROM attempt_result t JOIN student s ON s.id = t.student"
              " JOIN exercise e ON e.id = t.exercise WHERE s.present AND e.present"
              " ORDER BY t.attempt");
    while (query_next(&query)) {
        struct gradebook_dated *row = mem_push(&dates->rows, &dates->count, &dates->capacity);
        *row = (struct gradebook_dated){
            .attempt = sqlite3_column_int64(query.statement, 0),
            .student = query_copy(&query, 1),
            .exercise = query_copy(&query, 2),
            .committed_at = sqlite3_column_int64(query.statement, 3),
            .score = sqlite3_column_double(query.statement, 4),
            .max_score = sqlite3_column_double(query.statement, 5),
            .pinned = sqlite3_column_int(query.statement, 6) != 0,
            .penalty = {.percent = sqlite3_column_double(query.statement, 7),
                        .days_late = sqlite3_column_double(query.statement, 8),
                        .too_late = sqlite3_column_int(query.statement, 9) != 0},
        };
        query_fill(&query, 10, row->penalty.reason, sizeof row->penalty.reason);
    }
    enum status status = query_end(&query, error);
    if (status != STATUS_OK)
        gradebook_dates_free(dates);
    return status;
}

void gradebook_dates_free(struct gradebook_dates *dates) {
    for (size_t i = 0; i < dates->count; i++) {
        free(dates->rows[i].student);
        free(dates->rows[i].exercise);
    }
    free(dates->rows);
    *dates = (struct gradebook_dates){0};
}

enum status gradebook_penalise(struct gradebook *book, const struct gradebook_dates *dates,
                               int64_t run, int64_t at, struct error *error) {
    enum status status = book_begin(book, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < dates->count && status == STATUS_OK; i++)
        status =
            book_add_penalty(book, dates->rows[i].attempt, &dates->rows[i].penalty, run, at, error);
    return book_end(book, status, error);
}
