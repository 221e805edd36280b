/* Between a batch and its gradebook: the course as it is now, the run, attempts, and what counts.
 */
#include "grader/batch/batch_private.h"

#include "reports/protection.h"
#include "reports/stored/stored.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <jansson.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- the course --------------------------------------------------------------------------- */

static const char *section_of(const struct course *course, size_t student) {
    for (size_t i = 0; i < course->group_count; i++)
        if (!course->groups[i].repository && course_is_member(&course->groups[i], student))
            return course->groups[i].name;
    return "";
}

/* Columns of the roster that the gradebook has no column of its own for. */
static bool is_own_column(const char *name) {
    static const char *const own[] = {"id", "name", "repository", "branch"};
    for (size_t i = 0; i < ARRAY_LENGTH(own); i++)
        if (strcmp(name, own[i]) == 0)
            return true;
    return false;
}

static enum status sync_students(struct batch *batch, struct error *error) {
    const struct course *course = batch->course;
    cleanup_free struct gradebook_student *students =
        mem_calloc(course->student_count, sizeof *students);
    cleanup_free struct gradebook_field *fields =
        mem_calloc(course->student_count * course->column_count + 1, sizeof *fields);
    struct gradebook_field *field = fields;
    for (size_t s = 0; s < course->student_count; s++) {
        const struct course_student *student = &course->students[s];
        students[s] = (struct gradebook_student){
            .id = student->id,
            .name = student->name,
            .repository = repo_display_location(student->repository),
            .branch = student->branch ? student->branch : course->branch,
            .section = section_of(course, s),
            .team = student->team == COURSE_NONE ? "" : course->groups[student->team].name,
            .fields = field,
        };
        for (size_t c = 0; c < course->column_count; c++)
            if (!is_own_column(course->columns[c])) {
                *field++ = (struct gradebook_field){course->columns[c],
                                                    course_value(course, s, course->columns[c])};
                students[s].field_count++;
            }
    }
    enum status status =
        gradebook_sync_students(batch->gradebook, students, course->student_count, error);
    for (size_t s = 0; s < course->student_count; s++)
        free((char *)(uintptr_t)students[s].repository);
    return status;
}

static enum status sync_exercises(struct batch *batch, struct error *error) {
    const struct course *course = batch->course;
    cleanup_free struct gradebook_exercise *exercises =
        mem_calloc(course->exercise_count, sizeof *exercises);
    for (size_t e = 0; e < course->exercise_count; e++) {
        const struct exercise *exercise = batch->exercises[e].exercise;
        int64_t deadline = course_exercise_deadline(course, e);
        exercises[e] = (struct gradebook_exercise){
            .id = exercise->id,
            .title = exercise->title[course->language] ? exercise->title[course->language]
                                                       : exercise->title[LANGUAGE_EN],
            .weight = course->exercises[e].weight,
            .max_score = exercise->max_score,
            .has_deadline = deadline != COURSE_NEVER,
            .deadline = deadline == COURSE_NEVER ? 0 : deadline,
            .version = batch->exercises[e].version,
            .counts = course->attempts.last ? GRADEBOOK_COUNTS_LAST : GRADEBOOK_COUNTS_BEST,
            .attempt_limit = course->attempts.limit,
        };
    }
    return gradebook_sync_exercises(batch->gradebook, exercises, course->exercise_count, error);
}

/* ---- the run ------------------------------------------------------------------------------ */

static char *options_json(const struct batch *batch) {
    json_t *only = json_array();
    for (size_t i = 0; i < batch->options.only_count; i++)
        json_array_append_new(only, json_string(batch->options.only[i]));
    json_t *object = json_pack("{s:o, s:b, s:s, s:i}", "only", only, "all", batch->all, "engine",
                               batch->engine, "jobs", (int)batch->judges->width);
    if (batch->options.since)
        json_object_set_new(object, "since", json_string(batch->options.since));
    if (batch->options.has_seed)
        json_object_set_new(object, "seed_named", json_true());
    if (batch->begun.run)
        json_object_set_new(object, "goes_on_with", json_integer(batch->begun.run));
    char *text = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(object);
    return text;
}

enum status batch_begin_run(struct batch *batch, struct error *error) {
    const struct passwd *user = getpwuid(geteuid());
    struct sha256 hash = hash_bytes(batch->course->source, batch->course->source_length);
    char course_sha256[65];
    hash_hex(&hash, course_sha256);
    cleanup_free char *options = options_json(batch);
    const struct gradebook_run run = {
        .started_at = (int64_t)time(NULL),
        .tool_version = WARPGRADE_VERSION,
        .course_file = batch->course->file,
        .course_sha256 = course_sha256,
        .options_json = options,
        .seed = grade_seed(batch->session),
        .who = user ? user->pw_name : "",
    };
    enum status status = sync_students(batch, error);
    if (status == STATUS_OK)
        status = sync_exercises(batch, error);
    return status == STATUS_OK ? gradebook_run_begin(batch->gradebook, &run, &batch->run, error)
                               : status;
}

enum status batch_end_run(struct batch *batch, struct error *error) {
    return gradebook_run_finish(batch->gradebook, batch->run, (int64_t)time(NULL), error);
}

/* ---- attempts ----------------------------------------------------------------------------- */

static char *list_flags(unsigned flags) {
    struct text out = {0};
    for (int i = 0; i < REPO_FLAG_COUNT; i++)
        if (flags & 1u << i)
            text_printf(&out, "%s%s", out.length ? "; " : "",
                        repo_flag_sentence((enum repo_flag_bit)i));
    return out.data ? text_steal(&out) : mem_strdup("");
}

static struct gradebook_key key_of(const struct batch *batch, const struct batch_handed *handed) {
    return (struct gradebook_key){
        .student = batch->course->students[handed->student].id,
        .exercise = batch->course->exercises[handed->exercise].id,
        .commit = handed->commit,
        .path = handed->path,
        .submission_sha256 = handed->sha256,
        .exercise_version = batch->exercises[handed->exercise].version,
        .tool_version = WARPGRADE_VERSION,
        .engine = batch->engine,
        .device = batch->course->device ? batch->course->device : "",
        .seed = batch->session ? grade_seed(batch->session) : 0,
    };
}

enum status batch_store(struct batch *batch, const struct batch_handed *handed,
                        const struct report *report, const char *json, struct error *error) {
    const struct course_student *owner = &batch->course->students[handed->student];
    cleanup_free struct gradebook_case *cases = mem_calloc(report->case_count + 1, sizeof *cases);
    for (size_t i = 0; i < report->case_count; i++)
        cases[i] = (struct gradebook_case){.name = report->cases[i].name,
                                           .group = report->cases[i].group,
                                           .verdict = verdict_infos[report->cases[i].verdict].name,
                                           .message = report->cases[i].message,
                                           .score = report->cases[i].score,
                                           .max_score = report->cases[i].max_score};
    cleanup_free char *repository = repo_display_location(owner->repository);
    cleanup_free char *flags = list_flags(handed->flags);
    struct gradebook_key key = key_of(batch, handed);
    const struct gradebook_attempt attempt = {
        .student = owner->id,
        .student_name = owner->name,
        .exercise = key.exercise,
        .repository = repository,
        .branch = handed->branch,
        .commit = handed->commit,
        .path = handed->path,
        .authored_at = handed->authored_at,
        .committed_at = handed->committed_at,
        .fetched_at = handed->fetched_at,
        .graded_at = (int64_t)time(NULL),
        .date_flags = flags,
        .submission_sha256 = handed->sha256,
        .exercise_version = key.exercise_version,
        .pinned = handed->pinned,
        .run = batch->run,
        .seed = report->seed,
        .engine = key.engine,
        .device = key.device,
        .jail = protection_names[report->protection.kind],
        .tool_version = key.tool_version,
        .score = report->score,
        .max_score = report->max_score,
        .passed = report->passed,
        .verdict = verdict_infos[report->verdict].name,
        .message = report->message,
        .report_json = json,
        .penalty =
            batch_penalty(batch->course, handed->student, handed->exercise, handed->committed_at,
                          handed->pinned, report->score, report->max_score),
        .cases = cases,
        .case_count = report->case_count,
    };
    batch->changed = true;
    return gradebook_store(batch->gradebook, &attempt, error);
}

enum status batch_store_absence(struct batch *batch, size_t student, size_t exercise,
                                struct error *error) {
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    const struct gradebook_absence absence = {
        .student = batch->course->students[student].id,
        .exercise = batch->course->exercises[exercise].id,
        .run = batch->run,
        .at = (int64_t)time(NULL),
        .state = batch_state_names[cell->state],
        .message = cell->message,
    };
    return batch->options.dry_run ? STATUS_OK
                                  : gradebook_store_absence(batch->gradebook, &absence, error);
}

/* ---- what is there already ---------------------------------------------------------------- */

static void fill_from_row(struct batch_cell *cell, const struct gradebook_row *row) {
    cell->score = row->score;
    cell->max_score = row->max_score;
    cell->passed = row->passed;
    cell->committed_at = row->committed_at;
    cell->graded_at = row->graded_at;
    batch_set_string(&cell->message, row->message);
    batch_set_string(&cell->hint, "");
    batch_set_string(&cell->branch, row->branch);
    batch_set_string(&cell->path, row->path);
    memcpy(cell->verdict, row->verdict, sizeof cell->verdict);
    memcpy(cell->jail, row->jail, sizeof cell->jail);
    memcpy(cell->commit, row->commit, sizeof cell->commit);
}

/* It is what is handed in, whichever of two files was judged first. Its penalty is computed with
 * all others, at the end: batch_penalty.c. */
static enum status confirm(struct batch *batch, const struct batch_handed *handed,
                           const struct gradebook_row *row, struct error *error) {
    struct batch_cell *cell = batch_cell_at(batch, handed->student, handed->exercise);
    if (!handed->is_last)
        return STATUS_OK;
    if (cell->state == BATCH_PENDING) {
        fill_from_row(cell, row);
        cell->state = BATCH_RECORDED;
    }
    const struct gradebook_confirmation confirmation = {.attempt = row->attempt,
                                                        .run = batch->run,
                                                        .at = (int64_t)time(NULL),
                                                        .pinned = handed->pinned};
    return batch->options.dry_run ? STATUS_OK
                                  : gradebook_confirm(batch->gradebook, &confirmation, error);
}

/* row->attempt is 0 where it has to be graded; only gradings of that run and later ones count. */
static enum status find_current(struct batch *batch, const struct batch_handed *handed,
                                int64_t since_run, struct gradebook_row *row, struct error *error) {
    struct gradebook_key key = key_of(batch, handed);
    key.not_before = since_run;
    int64_t attempt;
    *row = (struct gradebook_row){0};
    enum status status = gradebook_is_current(batch->gradebook, &key, &attempt, error);
    return status == STATUS_OK && attempt
               ? gradebook_find_attempt(batch->gradebook, attempt, row, error)
               : status;
}

/* Of two files of this run the later one is handed in, whichever was judged first. */
enum status batch_confirm_last(struct batch *batch, const struct batch_handed *handed,
                               struct error *error) {
    struct gradebook_row row;
    enum status status = find_current(batch, handed, 0, &row, error);
    return status == STATUS_OK && row.attempt ? confirm(batch, handed, &row, error) : status;
}

/* The first run whose gradings count as done. */
static int64_t not_before(const struct batch *batch) {
    return !batch->all ? 0 : batch->begun.run ? batch->begun.run : INT64_MAX;
}

enum status batch_recall(struct batch *batch, const struct batch_handed *handed, bool *known,
                         struct error *error) {
    *known = false;
    if (!batch->gradebook)
        return STATUS_OK;
    struct gradebook_row row;
    enum status status = find_current(batch, handed, not_before(batch), &row, error);
    if (status != STATUS_OK || row.attempt == 0)
        return status;
    bool jailed = strcmp(row.jail, protection_names[PROTECTION_JAIL]) == 0;
    if (batch->course->require_namespaces && !jailed)
        return STATUS_OK;
    *known = true;
    return confirm(batch, handed, &row, error);
}

static enum status read_report(const char *json, size_t length, struct report **report,
                               struct error *error) {
    struct stored_reports stored = {0};
    enum status status = stored_read(json, length, NULL, &stored, error);
    *report = NULL;
    if (status == STATUS_OK && stored.count == 1)
        *report = steal_pointer(&stored.reports[0]);
    stored_free(&stored);
    return status;
}

enum status batch_recall_same(struct batch *batch, const struct batch_handed *handed,
                              struct report **report, struct error *error) {
    *report = NULL;
    if (!batch->gradebook || batch->options.dry_run ||
        batch->course->require_namespaces) /* that report may be of another jail */
        return STATUS_OK;
    struct gradebook_key key = key_of(batch, handed);
    key.not_before = not_before(batch);
    cleanup_free char *json = NULL;
    size_t length;
    enum status status = gradebook_same_submission(batch->gradebook, &key, &json, &length, error);
    /* A report that this version cannot read is judged again. */
    if (status == STATUS_OK && json && read_report(json, length, report, NULL) != STATUS_OK)
        *report = NULL;
    return status;
}

enum status batch_stored_report(struct batch *batch, int64_t grading, struct report **report,
                                struct text *json, struct error *error) {
    cleanup_free char *bytes = NULL;
    size_t length;
    *report = NULL;
    enum status status = gradebook_report(batch->gradebook, grading, &bytes, &length, error);
    if (status == STATUS_OK && json)
        text_append_bytes(json, bytes, length);
    return status == STATUS_OK ? read_report(bytes, length, report, error) : status;
}

/* ---- what counts -------------------------------------------------------------------------- */

/* A student who is not graded in this run is shown with the latest attempt. */
static enum status recall_latest(struct batch *batch, struct batch_cell *cell, const char *student,
                                 const char *exercise, struct error *error) {
    struct gradebook_row row;
    enum status status =
        gradebook_find(batch->gradebook, student, exercise, GRADEBOOK_LATEST, &row, error);
    if (status == STATUS_OK && row.attempts > 0) {
        fill_from_row(cell, &row);
        cell->state = BATCH_RECORDED;
    }
    return status;
}

static enum status recall_cell(struct batch *batch, const struct gradebook_grade *grade,
                               struct error *error) {
    size_t student = course_find_student(batch->course, grade->student),
           exercise = course_find_exercise(batch->course, grade->exercise);
    if (student == COURSE_NONE || exercise == COURSE_NONE)
        return STATUS_OK;
    struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    cell->attempts = grade->attempts;
    cell->has_final = grade->has_points || *grade->override;
    cell->final = grade->final;
    cell->counted_score = grade->points;
    cell->penalty = grade->penalty;
    cell->counted = grade->grading;
    cell->counted_at = grade->committed_at;
    cell->submissions = grade->submissions;
    snprintf(cell->counted_commit, sizeof cell->counted_commit, "%s", grade->commit);
    batch_set_string(&cell->penalty_reason, grade->penalty_reason);
    batch_set_string(&cell->override, grade->override);
    if (grade->attempts == 0)
        return STATUS_OK;
    struct gradebook_row best;
    enum status status = gradebook_find(batch->gradebook, grade->student, grade->exercise,
                                        GRADEBOOK_BEST, &best, error);
    if (status == STATUS_OK)
        cell->best_percent = best.max_score > 0 ? 100 * best.score / best.max_score : 0;
    if (status == STATUS_OK && cell->state == BATCH_PENDING && !cell->has_final) {
        cell->state = BATCH_LATE; /* the deadline is another now */
        batch_set_string(&cell->message, grade->message);
    } else if (status == STATUS_OK && cell->state == BATCH_PENDING) {
        status = recall_latest(batch, cell, grade->student, grade->exercise, error);
    }
    return status;
}

enum status batch_recall_all(struct batch *batch, struct error *error) {
    if (!batch->gradebook)
        return STATUS_OK;
    struct gradebook_grades grades = {0};
    enum status status =
        gradebook_grades(batch->gradebook, &(struct gradebook_filter){0}, &grades, error);
    for (size_t i = 0; i < grades.count && status == STATUS_OK; i++)
        status = recall_cell(batch, &grades.rows[i], error);
    gradebook_grades_free(&grades);
    return status;
}
