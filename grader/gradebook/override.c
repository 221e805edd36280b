/* A person's decision about a grade, and its withdrawal. */
#include "grader/gradebook/gradebook_private.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum status check_id(struct gradebook *book, const char *what, const char *sql,
                            const char *id, struct error *error) {
    char **ids = NULL;
    size_t count = 0, capacity = 0;
    bool found = false;
    struct query query = query_prepare(book, sql);
    while (!found && query_next(&query)) {
        found = strcmp(query_string(&query, 0), id) == 0;
        *mem_push(&ids, &count, &capacity) = query_copy(&query, 0);
    }
    enum status status = query_end(&query, error);
    if (status == STATUS_OK && !found) {
        status =
            book_refuse(book, STATUS_INVALID, error, "the gradebook has no %s %.80s", what, id);
        const char *closest = text_closest(id, (const char *const *)ids, count);
        if (closest)
            error_hint(error, "did you mean %.80s?", closest);
    }
    for (size_t i = 0; i < count; i++)
        free(ids[i]);
    free(ids);
    return status;
}

enum status gradebook_check_ids(struct gradebook *book, const char *student, const char *exercise,
                                struct error *error) {
    enum status status = STATUS_OK;
    if (student)
        status = check_id(book, "student", "SELECT id FROM student", student, error);
    if (status == STATUS_OK && exercise)
        status = check_id(book, "exercise", "SELECT id FROM exercise", exercise, error);
    return status;
}

static enum status check_decision(struct gradebook *book, const struct gradebook_override *decision,
                                  struct error *error) {
    enum status status = gradebook_check_ids(book, decision->student, decision->exercise, error);
    if (status != STATUS_OK)
        return status;
    if (!decision->who || !*decision->who || !decision->why || !*decision->why)
        return book_refuse(book, STATUS_INVALID, error,
                           "an override says who decided it and why, so that it can be explained");
    return STATUS_OK;
}

enum status gradebook_override(struct gradebook *book, const struct gradebook_override *override,
                               struct error *error) {
    enum status status = check_decision(book, override, error);
    if (status != STATUS_OK)
        return status;
    if (!isfinite(override->value) || override->value < 0)
        return book_refuse(book, STATUS_INVALID, error, "points are a number from 0 on");
    struct query query = query_prepare(
        book, "INSERT INTO override (student, exercise, points, percent, who, why, decided_at)"
              " VALUES (:student, :exercise, :points, :percent, :who, :why, :at)");
    query_text(&query, ":student", override->student);
    query_text(&query, ":exercise", override->exercise);
    query_null(&query, override->is_percent ? ":points" : ":percent");
    query_real(&query, override->is_percent ? ":percent" : ":points", override->value);
    query_text(&query, ":who", override->who);
    query_text(&query, ":why", override->why);
    query_integer(&query, ":at", override->at);
    return query_run(&query, error);
}

enum status gradebook_withdraw(struct gradebook *book, const struct gradebook_override *override,
                               struct error *error) {
    enum status status = check_decision(book, override, error);
    if (status != STATUS_OK)
        return status;
    struct query query = query_prepare(
        book, "INSERT INTO withdrawal (override, who, why, decided_at) SELECT id, :who, :why, :at"
              " FROM decision WHERE student = :student AND exercise = :exercise");
    query_text(&query, ":student", override->student);
    query_text(&query, ":exercise", override->exercise);
    query_text(&query, ":who", override->who);
    query_text(&query, ":why", override->why);
    query_integer(&query, ":at", override->at);
    status = query_run(&query, error);
    if (status == STATUS_OK && sqlite3_changes(book->database) == 0)
        status = book_refuse(book, STATUS_INVALID, error,
                             "there is no override of %.80s for %.80s that counts",
                             override->student, override->exercise);
    return status;
}
