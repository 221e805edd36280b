/* Adding to the gradebook: attempts with their gradings, and what runs and people say about them.
 * Each function is one transaction, and adds nothing where the book says it already. */
#include "grader/gradebook/gradebook_private.h"

#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"

#include <string.h>

static enum status add_named(struct gradebook *book, const struct gradebook_attempt *attempt,
                             struct error *error) {
    struct query student = query_prepare(
        book,
        "INSERT INTO student (id, name, repository, branch, section, team, position, present)"
        " SELECT :id, :name, :repository, :branch, '', '', count(*), 1 FROM student WHERE true"
        " ON CONFLICT DO NOTHING");
    query_text(&student, ":id", attempt->student);
    query_text(&student, ":name", attempt->student_name ? attempt->student_name : attempt->student);
    query_text(&student, ":repository", attempt->repository);
    query_text(&student, ":branch", attempt->branch);
    enum status status = query_run(&student, error);
    if (status != STATUS_OK)
        return status;
    struct query exercise = query_prepare(
        book, "INSERT INTO exercise (id, title, position, weight, deadline, max_score, version,"
              " counts, attempt_limit, present) SELECT :id, :id, count(*), 1, NULL, :max, :version,"
              " 'best', 0, 1 FROM exercise WHERE true ON CONFLICT DO NOTHING");
    query_text(&exercise, ":id", attempt->exercise);
    query_real(&exercise, ":max", attempt->max_score);
    query_text(&exercise, ":version", attempt->exercise_version);
    return query_run(&exercise, error);
}

static void bind_attempt(struct query *query, const struct gradebook_attempt *attempt) {
    query_text(query, ":student", attempt->student);
    query_text(query, ":exercise", attempt->exercise);
    query_text(query, ":commit", attempt->commit);
    query_text(query, ":path", attempt->path);
    query_text(query, ":submission", attempt->submission_sha256);
    query_text(query, ":version", attempt->exercise_version);
}

static enum status add_attempt(struct gradebook *book, const struct gradebook_attempt *attempt,
                               int64_t *id, struct error *error) {
    struct query add = query_prepare(
        book, "INSERT INTO attempt (student, exercise, exercise_version, repository, branch,"
              " commit_id, path, submission_sha256, authored_at, committed_at, fetched_at,"
              " date_flags) VALUES (:student, :exercise, :version, :repository, :branch, :commit,"
              " :path, :submission, :authored, :committed, :fetched, :flags)"
              " ON CONFLICT DO NOTHING");
    bind_attempt(&add, attempt);
    query_text(&add, ":repository", attempt->repository);
    query_text(&add, ":branch", attempt->branch);
    query_time(&add, ":authored", attempt->authored_at);
    query_time(&add, ":committed", attempt->committed_at);
    query_time(&add, ":fetched", attempt->fetched_at);
    query_text(&add, ":flags", attempt->date_flags);
    enum status status = query_run(&add, error);
    if (status != STATUS_OK)
        return status;
    struct query find = query_prepare(
        book, "SELECT id FROM attempt WHERE student = :student AND exercise = :exercise"
              " AND commit_id = :commit AND path = :path AND submission_sha256 = :submission"
              " AND exercise_version = :version");
    bind_attempt(&find, attempt);
    if (query_next(&find))
        *id = sqlite3_column_int64(find.statement, 0);
    return query_end(&find, error);
}

static enum status add_grading(struct gradebook *book, const struct gradebook_attempt *attempt,
                               int64_t attempt_id, struct error *error) {
    struct query query = query_prepare(
        book, "INSERT INTO grading (attempt, run, graded_at, tool_version, engine, device, jail,"
              " seed, score, max_score, passed, verdict, message, report, report_bytes,"
              " report_sha256) VALUES (:attempt, :run, :graded, :tool, :engine, :device, :jail,"
              " :seed, :score, :max_score, :passed, :verdict, :message, :report, :bytes, :sha256)");
    const char *json = attempt->report_json ? attempt->report_json : "";
    size_t length = strlen(json), packed_length;
    cleanup_free void *packed = packed_make(json, length, &packed_length);
    char hex[65];
    const struct sha256 hash = hash_bytes(json, length);
    hash_hex(&hash, hex);
    query_integer(&query, ":attempt", attempt_id);
    query_time(&query, ":run", attempt->run);
    query_integer(&query, ":graded", attempt->graded_at);
    query_text(&query, ":tool", attempt->tool_version);
    query_text(&query, ":engine", attempt->engine);
    query_text(&query, ":device", attempt->device);
    query_text(&query, ":jail", attempt->jail);
    query_integer(&query, ":seed", (int64_t)attempt->seed);
    query_real(&query, ":score", attempt->score);
    query_real(&query, ":max_score", attempt->max_score);
    query_integer(&query, ":passed", attempt->passed);
    query_text(&query, ":verdict", attempt->verdict);
    query_text(&query, ":message", attempt->message);
    query_blob(&query, ":report", packed, packed_length);
    query_integer(&query, ":bytes", (int64_t)length);
    query_text(&query, ":sha256", hex);
    return query_run(&query, error);
}

static enum status add_case(struct gradebook *book, int64_t grading, size_t position,
                            const struct gradebook_case *item, struct error *error) {
    struct query query = query_prepare(
        book, "INSERT INTO case_result (grading, position, name, case_group, verdict, score,"
              " max_score, message) VALUES (:grading, :position, :name, :group, :verdict, :score,"
              " :max_score, :message)");
    query_integer(&query, ":grading", grading);
    query_integer(&query, ":position", (int64_t)position);
    query_text(&query, ":name", item->name);
    query_text(&query, ":group", item->group);
    query_text(&query, ":verdict", item->verdict);
    query_real(&query, ":score", item->score);
    query_real(&query, ":max_score", item->max_score);
    query_text(&query, ":message", item->message);
    return query_run(&query, error);
}

/* ---- the attempt that is handed in ---------------------------------------------------------- */

static const char *const last_choice =
    "SELECT c.attempt, c.pinned FROM choice c WHERE c.id = (SELECT max(l.id) FROM attempt a"
    " CROSS JOIN attempt o CROSS JOIN choice l WHERE a.id = :attempt AND o.student = a.student"
    " AND o.exercise = a.exercise AND l.attempt = o.id)";

static enum status add_choice(struct gradebook *book, const struct gradebook_confirmation *say,
                              struct error *error) {
    struct query query = query_prepare(book, "INSERT INTO choice (attempt, run, chosen_at, pinned)"
                                             " VALUES (:attempt, :run, :at, :pinned)");
    query_integer(&query, ":attempt", say->attempt);
    query_time(&query, ":run", say->run);
    query_integer(&query, ":at", say->at);
    query_integer(&query, ":pinned", say->pinned);
    return query_run(&query, error);
}

static enum status is_chosen(struct gradebook *book, const struct gradebook_confirmation *say,
                             bool *chosen, struct error *error) {
    struct query last = query_prepare(book, last_choice);
    query_integer(&last, ":attempt", say->attempt);
    *chosen = query_next(&last) && sqlite3_column_int64(last.statement, 0) == say->attempt &&
              sqlite3_column_int(last.statement, 1) == (int)say->pinned;
    return query_end(&last, error);
}

enum status gradebook_confirm(struct gradebook *book, const struct gradebook_confirmation *confirm,
                              struct error *error) {
    bool chosen;
    enum status status = is_chosen(book, confirm, &chosen, error);
    return status != STATUS_OK || chosen ? status : add_choice(book, confirm, error);
}

/* ---- an attempt --------------------------------------------------------------------------- */

static enum status add_all(struct gradebook *book, const struct gradebook_attempt *attempt,
                           struct error *error) {
    struct gradebook_confirmation say = {
        .run = attempt->run, .at = attempt->graded_at, .pinned = attempt->pinned};
    enum status status = add_named(book, attempt, error);
    if (status == STATUS_OK)
        status = add_attempt(book, attempt, &say.attempt, error);
    if (status == STATUS_OK)
        status = add_grading(book, attempt, say.attempt, error);
    int64_t grading = sqlite3_last_insert_rowid(book->database);
    for (size_t i = 0; i < attempt->case_count && status == STATUS_OK; i++)
        status = add_case(book, grading, i, &attempt->cases[i], error);
    if (status == STATUS_OK)
        status = gradebook_confirm(book, &say, error);
    return status == STATUS_OK
               ? book_add_penalty(book, say.attempt, &attempt->penalty, say.run, say.at, error)
               : status;
}

enum status gradebook_store(struct gradebook *book, const struct gradebook_attempt *attempt,
                            struct error *error) {
    enum status status = book_begin(book, error);
    if (status != STATUS_OK)
        return status;
    return book_end(book, add_all(book, attempt, error), error);
}

/* ---- nothing to grade --------------------------------------------------------------------- */

static enum status is_said(struct gradebook *book, const struct gradebook_absence *absence,
                           bool *said, struct error *error) {
    struct query query = query_prepare(
        book, "SELECT state, message FROM absence WHERE student = :student AND exercise = :exercise"
              " ORDER BY id DESC LIMIT 1");
    query_text(&query, ":student", absence->student);
    query_text(&query, ":exercise", absence->exercise);
    *said = query_next(&query) && strcmp(query_string(&query, 0), absence->state) == 0 &&
            strcmp(query_string(&query, 1), absence->message ? absence->message : "") == 0;
    return query_end(&query, error);
}

static enum status add_absence(struct gradebook *book, const struct gradebook_absence *absence,
                               struct error *error) {
    const struct gradebook_attempt named = {.student = absence->student,
                                            .exercise = absence->exercise};
    enum status status = add_named(book, &named, error);
    if (status != STATUS_OK)
        return status;
    struct query query = query_prepare(
        book, "INSERT INTO absence (student, exercise, run, recorded_at, state, message)"
              " VALUES (:student, :exercise, :run, :at, :state, :message)");
    query_text(&query, ":student", absence->student);
    query_text(&query, ":exercise", absence->exercise);
    query_time(&query, ":run", absence->run);
    query_integer(&query, ":at", absence->at);
    query_text(&query, ":state", absence->state);
    query_text(&query, ":message", absence->message);
    return query_run(&query, error);
}

enum status gradebook_store_absence(struct gradebook *book, const struct gradebook_absence *absence,
                                    struct error *error) {
    bool said;
    enum status status = is_said(book, absence, &said, error);
    if (status != STATUS_OK || said)
        return status;
    status = book_begin(book, error);
    if (status != STATUS_OK)
        return status;
    return book_end(book, add_absence(book, absence, error), error);
}
