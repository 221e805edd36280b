/* Runs, and what the course says of students and exercises: taken over whole from each run. What
 * stands in the book already is compared and not written again. */
#include "grader/gradebook/gradebook_private.h"

#include "reports/escape.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Those of the table that are not in the list are not in the course any more. */
static enum status leave(struct gradebook *book, const char *sql, json_t *ids,
                         struct error *error) {
    char *list = json_dumps(ids, JSON_COMPACT);
    struct query query = query_prepare(book, sql);
    query_text(&query, ":ids", list);
    enum status status = query_run(&query, error);
    free(list);
    json_decref(ids);
    return status;
}

static void append_id(json_t *ids, const char *id) {
    cleanup_text struct text clean = {0};
    escape_utf8(&clean, id, strlen(id));
    json_array_append_new(ids, json_string(text_string(&clean)));
}

/* ---- runs --------------------------------------------------------------------------------- */

enum status gradebook_run_begin(struct gradebook *book, const struct gradebook_run *run,
                                int64_t *id, struct error *error) {
    struct query query = query_prepare(
        book, "INSERT INTO run (started_at, tool_version, course_file, course_sha256, options,"
              " seed, who) VALUES (:at, :tool, :file, :sha256, :options, :seed, :who)");
    query_integer(&query, ":at", run->started_at);
    query_text(&query, ":tool", run->tool_version);
    query_text(&query, ":file", run->course_file);
    query_text(&query, ":sha256", run->course_sha256);
    query_text(&query, ":options", run->options_json);
    query_integer(&query, ":seed", (int64_t)run->seed);
    query_text(&query, ":who", run->who);
    enum status status = query_run(&query, error);
    *id = sqlite3_last_insert_rowid(book->database);
    return status;
}

enum status gradebook_run_finish(struct gradebook *book, int64_t id, int64_t finished_at,
                                 struct error *error) {
    struct query query = query_prepare(book, "UPDATE run SET finished_at = :at WHERE id = :id");
    query_integer(&query, ":at", finished_at);
    query_integer(&query, ":id", id);
    return query_run(&query, error);
}

/* ---- students ----------------------------------------------------------------------------- */

static enum status put_student(struct gradebook *book, const struct gradebook_student *student,
                               size_t position, struct error *error) {
    struct query query = query_prepare(
        book,
        "INSERT INTO student (id, name, repository, branch, section, team, position, present)"
        " VALUES (:id, :name, :repository, :branch, :section, :team, :position, 1)"
        " ON CONFLICT (id) DO UPDATE SET name = excluded.name,"
        " repository = excluded.repository, branch = excluded.branch,"
        " section = excluded.section, team = excluded.team, position = excluded.position,"
        " present = 1 WHERE (name, repository, branch, section, team, position, present) IS NOT"
        " (excluded.name, excluded.repository, excluded.branch, excluded.section,"
        " excluded.team, excluded.position, 1)");
    query_text(&query, ":id", student->id);
    query_text(&query, ":name", student->name ? student->name : student->id);
    query_text(&query, ":repository", student->repository);
    query_text(&query, ":branch", student->branch);
    query_text(&query, ":section", student->section);
    query_text(&query, ":team", student->team);
    query_integer(&query, ":position", (int64_t)position);
    return query_run(&query, error);
}

static enum status put_field(struct gradebook *book, const char *student, size_t position,
                             const struct gradebook_field *field, struct error *error) {
    struct query query = query_prepare(
        book, "INSERT INTO student_field (student, position, name, value)"
              " VALUES (:student, :position, :name, :value) ON CONFLICT (student, position)"
              " DO UPDATE SET name = excluded.name, value = excluded.value"
              " WHERE (name, value) IS NOT (excluded.name, excluded.value)");
    query_text(&query, ":student", student);
    query_integer(&query, ":position", (int64_t)position);
    query_text(&query, ":name", field->name);
    query_text(&query, ":value", field->value);
    return query_run(&query, error);
}

static enum status put_fields(struct gradebook *book, const struct gradebook_student *student,
                              struct error *error) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < student->field_count && status == STATUS_OK; i++)
        status = put_field(book, student->id, i, &student->fields[i], error);
    if (status != STATUS_OK)
        return status;
    struct query rest = query_prepare(
        book, "DELETE FROM student_field WHERE student = :student AND position >= :count");
    query_text(&rest, ":student", student->id);
    query_integer(&rest, ":count", (int64_t)student->field_count);
    return query_run(&rest, error);
}

static enum status put_students(struct gradebook *book, const struct gradebook_student *students,
                                size_t count, struct error *error) {
    json_t *ids = json_array();
    for (size_t i = 0; i < count; i++)
        append_id(ids, students[i].id);
    enum status status = leave(book,
                               "UPDATE student SET present = 0 WHERE present AND id NOT IN"
                               " (SELECT value FROM json_each(:ids))",
                               ids, error);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = put_student(book, &students[i], i, error);
        if (status == STATUS_OK)
            status = put_fields(book, &students[i], error);
    }
    return status;
}

enum status gradebook_sync_students(struct gradebook *book,
                                    const struct gradebook_student *students, size_t count,
                                    struct error *error) {
    enum status status = book_begin(book, error);
    if (status != STATUS_OK)
        return status;
    return book_end(book, put_students(book, students, count, error), error);
}

/* ---- exercises ---------------------------------------------------------------------------- */

static enum status put_exercise(struct gradebook *book, const struct gradebook_exercise *exercise,
                                size_t position, struct error *error) {
    static const char *const counts[] = {
        [GRADEBOOK_COUNTS_BEST] = "best", [GRADEBOOK_COUNTS_LAST] = "last"};
    struct query query = query_prepare(
        book, "INSERT INTO exercise (id, title, position, weight, deadline, max_score, version,"
              " counts, attempt_limit, present) VALUES (:id, :title, :position, :weight, :deadline,"
              " :max_score, :version, :counts, :limit, 1) ON CONFLICT (id) DO UPDATE SET"
              " title = excluded.title, position = excluded.position, weight = excluded.weight,"
              " deadline = excluded.deadline, max_score = excluded.max_score,"
              " version = excluded.version, counts = excluded.counts,"
              " attempt_limit = excluded.attempt_limit, present = 1"
              " WHERE (title, position, weight, deadline, max_score, version, counts,"
              " attempt_limit, present) IS NOT (excluded.title, excluded.position,"
              " excluded.weight, excluded.deadline, excluded.max_score, excluded.version,"
              " excluded.counts, excluded.attempt_limit, 1)");
    query_text(&query, ":id", exercise->id);
    query_text(&query, ":title", exercise->title ? exercise->title : exercise->id);
    query_integer(&query, ":position", (int64_t)position);
    query_real(&query, ":weight", exercise->weight);
    if (exercise->has_deadline)
        query_integer(&query, ":deadline", exercise->deadline);
    else
        query_null(&query, ":deadline");
    query_real(&query, ":max_score", exercise->max_score);
    query_text(&query, ":version", exercise->version);
    query_text(&query, ":counts", counts[exercise->counts]);
    query_integer(&query, ":limit", exercise->attempt_limit);
    return query_run(&query, error);
}

static enum status put_exercises(struct gradebook *book, const struct gradebook_exercise *exercises,
                                 size_t count, struct error *error) {
    json_t *ids = json_array();
    for (size_t i = 0; i < count; i++)
        append_id(ids, exercises[i].id);
    enum status status = leave(book,
                               "UPDATE exercise SET present = 0 WHERE present AND id NOT IN"
                               " (SELECT value FROM json_each(:ids))",
                               ids, error);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = put_exercise(book, &exercises[i], i, error);
    return status;
}

enum status gradebook_sync_exercises(struct gradebook *book,
                                     const struct gradebook_exercise *exercises, size_t count,
                                     struct error *error) {
    enum status status = book_begin(book, error);
    if (status != STATUS_OK)
        return status;
    return book_end(book, put_exercises(book, exercises, count, error), error);
}
