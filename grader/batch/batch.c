/* The run of a batch: fetch, grade, store, go on.
 *
 * Submissions are graded one after the other, because the judge spreads a submission's cases over
 * all CPUs by itself; with several cards as many students at once (batch_prefetch.c). Meanwhile a
 * child process reads the next student's repository. All submissions share one session, so a whole
 * class is judged with the same data and the reference's results are computed once. */
#include "grader/batch/batch_private.h"

#include "reports/protection.h"
#include "sandbox/base/file.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_DEFINITION_BYTES = 16 << 20, HAZARDS_KEPT = 3 };

const struct batch_cell *batch_cell(const struct batch *batch, size_t student, size_t exercise) {
    return batch_cell_at(batch, student, exercise);
}

const struct course *batch_course(const struct batch *batch) {
    return batch->course;
}

bool batch_selected(const struct batch *batch, size_t student) {
    return batch->selected[student];
}

uint64_t batch_seed(const struct batch *batch) {
    return grade_seed(batch->session);
}

const char *batch_output(const struct batch *batch) {
    return batch->output;
}

enum status batch_status(const struct batch *batch) {
    enum status worst = STATUS_OK;
    size_t count = batch->course->student_count * batch->course->exercise_count;
    for (size_t i = 0; i < count; i++) {
        if (batch->cells[i].state == BATCH_UNJUDGED)
            return STATUS_ENVIRONMENT;
        if (batch->cells[i].state == BATCH_UNREADABLE)
            worst = STATUS_BELOW_MARK;
    }
    return worst;
}

/* ---- opening ------------------------------------------------------------------------------ */

static enum status select_students(struct batch *batch, const struct batch_options *options,
                                   struct error *error) {
    const struct course *course = batch->course;
    batch->selected = mem_calloc(course->student_count, sizeof *batch->selected);
    for (size_t i = 0; i < course->student_count; i++)
        batch->selected[i] = options->only_count == 0;
    for (size_t k = 0; k < options->only_count; k++) {
        size_t found = 0;
        while (found < course->student_count &&
               strcmp(course->students[found].id, options->only[k]) != 0)
            found++;
        if (found < course->student_count) {
            batch->selected[found] = true;
            continue;
        }
        cleanup_free const char **ids = mem_calloc(course->student_count, sizeof *ids);
        for (size_t i = 0; i < course->student_count; i++)
            ids[i] = course->students[i].id;
        enum status status =
            error_set(error, STATUS_INVALID, "no student has the id %.80s", options->only[k]);
        const char *closest = text_closest(options->only[k], ids, course->student_count);
        if (closest)
            error_hint(error, "did you mean %s?", closest);
        return status;
    }
    return STATUS_OK;
}

/* The hash of exercise.yaml, of the reference kernel and of the headers. */
static enum status hash_definition(struct batch_exercise *entry, struct error *error) {
    cleanup_free char *yaml_path = file_join(entry->exercise->directory, "exercise.yaml");
    cleanup_free char *yaml = NULL;
    cleanup_free char *reference = NULL;
    size_t yaml_length, reference_length;
    enum status status = file_read(yaml_path, MAX_DEFINITION_BYTES, &yaml, &yaml_length, error);
    if (status == STATUS_OK)
        status = file_read(entry->exercise->reference.file, MAX_DEFINITION_BYTES, &reference,
                           &reference_length, error);
    if (status != STATUS_OK)
        return status;
    cleanup_text struct text headers = {0};
    for (size_t i = 0; i < entry->exercise->header_count; i++)
        text_printf(&headers, "%s %zu\n%s", entry->exercise->headers[i].name,
                    strlen(entry->exercise->headers[i].text), entry->exercise->headers[i].text);
    const struct hash_part parts[] = {{yaml, yaml_length},
                                      {reference, reference_length},
                                      {text_string(&headers), headers.length}};
    struct sha256 hash = hash_parts(parts, ARRAY_LENGTH(parts));
    hash_hex(&hash, entry->sha256);
    return STATUS_OK;
}

static enum status load_exercises(struct batch *batch, struct error *error) {
    const struct course *course = batch->course;
    batch->exercises = mem_calloc(course->exercise_count, sizeof *batch->exercises);
    batch->wants = mem_calloc(course->exercise_count, sizeof *batch->wants);
    for (size_t i = 0; i < course->exercise_count; i++) {
        const struct course_exercise *named = &course->exercises[i];
        enum status status = exercise_find(named->id, &batch->exercises[i].exercise, error);
        if (status != STATUS_OK) {
            if (error && !error->file[0]) /* not found; a mistake inside it has its own place */
                course_place(course, named, error);
            return status;
        }
        status = hash_definition(&batch->exercises[i], error);
        if (status != STATUS_OK)
            return status;
        if (course->has_pass_mark)
            batch->exercises[i].exercise->pass_mark_percent = course->pass_mark;
        for (size_t k = 0; k < named->path_count; k++)
            batch->wants[i].candidates[k] = named->paths[k];
        batch->wants[i].candidate_count = named->path_count;
        batch->wants[i].not_after = INT64_MAX;
    }
    return STATUS_OK;
}

static enum status open_session(struct batch *batch, const struct batch_options *options,
                                struct error *error) {
    const struct course *course = batch->course;
    struct grade_options grade = {0};
    grade.has_seed = options->has_seed || course->has_seed;
    grade.seed = options->has_seed ? options->seed : course->seed;
    grade.jobs = options->jobs ? options->jobs : course->jobs;
    return grade_open(&grade, &batch->session, error);
}

static void set_string(char **string, const char *value) {
    free(*string);
    *string = mem_strdup(value);
}

/* The cells of students who are not graded in this run, and all students' best attempts. */
static enum status recall(struct batch *batch, struct batch_cell *cell, const char *student,
                          const char *exercise, struct error *error) {
    struct gradebook_row row;
    enum status status =
        gradebook_find(batch->gradebook, student, exercise, GRADEBOOK_BEST, &row, error);
    if (status != STATUS_OK)
        return status;
    cell->attempts = row.attempts;
    cell->best_percent = row.max_score > 0 ? 100 * row.score / row.max_score : 0;
    if (cell->state != BATCH_PENDING || row.attempts == 0)
        return STATUS_OK;
    status = gradebook_find(batch->gradebook, student, exercise, GRADEBOOK_LATEST, &row, error);
    if (status != STATUS_OK)
        return status;
    cell->state = BATCH_RECORDED;
    cell->score = row.score;
    cell->max_score = row.max_score;
    cell->passed = row.passed;
    cell->committed_at = row.committed_at;
    cell->graded_at = row.graded_at;
    set_string(&cell->message, row.message);
    set_string(&cell->branch, row.branch);
    set_string(&cell->path, row.path);
    memcpy(cell->verdict, row.verdict, sizeof cell->verdict);
    memcpy(cell->jail, row.jail, sizeof cell->jail);
    memcpy(cell->commit, row.commit, sizeof cell->commit);
    return STATUS_OK;
}

static enum status recall_all(struct batch *batch, struct error *error) {
    const struct course *course = batch->course;
    enum status status = STATUS_OK;
    for (size_t s = 0; s < course->student_count; s++)
        for (size_t e = 0; e < course->exercise_count && status == STATUS_OK; e++)
            status = recall(batch, batch_cell_at(batch, s, e), course->students[s].id,
                            course->exercises[e].id, error);
    return status;
}

enum status batch_open(const struct batch_options *options, struct batch **out,
                       struct error *error) {
    *out = NULL;
    struct batch *batch = mem_zalloc(sizeof *batch);
    enum status status = course_load(options->course, &batch->course, error);
    if (status == STATUS_OK)
        status = select_students(batch, options, error);
    if (status == STATUS_OK)
        status = load_exercises(batch, error);
    if (status == STATUS_OK)
        status = open_session(batch, options, error);
    if (status == STATUS_OK) {
        const struct course *course = batch->course;
        batch->output = mem_strdup(options->output ? options->output : course->output);
        batch->cells =
            mem_calloc(course->student_count * course->exercise_count, sizeof *batch->cells);
        batch->prefetch =
            mem_calloc(course->student_count * course->exercise_count, sizeof(struct report *));
        status = file_make_directories(batch->output, error);
    }
    if (status == STATUS_OK)
        status = gradebook_open(batch->course->gradebook, &batch->gradebook, error);
    if (status != STATUS_OK) {
        batch_close(batch);
        return status;
    }
    *out = batch;
    return STATUS_OK;
}

/* ---- one submission ----------------------------------------------------------------------- */

/* What only the student's own report needs is released: a class's reports stay in memory. */
static void keep_for_junit(struct batch *batch, struct report *report) {
    free(report->source);
    report->source = NULL;
    report->source_length = 0;
    for (size_t i = 0; i < report->case_count; i++) {
        struct report_case *item = &report->cases[i];
        free(item->printed);
        item->printed = NULL;
        if (item->hazard_count > HAZARDS_KEPT) {
            item->hazard_count = HAZARDS_KEPT;
            item->hazards = mem_realloc(item->hazards, HAZARDS_KEPT, sizeof *item->hazards);
        }
    }
    *mem_push(&batch->reports, &batch->report_count, &batch->report_capacity) = report;
}

static enum status store_attempt(struct batch *batch, size_t student, size_t exercise,
                                 const struct report *report, const char *json,
                                 struct error *error) {
    const struct course_student *owner = &batch->course->students[student];
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    cleanup_free struct gradebook_case *cases = mem_calloc(report->case_count, sizeof *cases);
    for (size_t i = 0; i < report->case_count; i++)
        cases[i] = (struct gradebook_case){.name = report->cases[i].name,
                                           .group = report->cases[i].group,
                                           .verdict = verdict_infos[report->cases[i].verdict].name,
                                           .message = report->cases[i].message,
                                           .score = report->cases[i].score,
                                           .max_score = report->cases[i].max_score};
    cleanup_free char *repository = repo_display_location(owner->repository);
    const struct gradebook_attempt attempt = {
        .student = owner->id,
        .student_name = owner->name,
        .exercise = batch->course->exercises[exercise].id,
        .repository = repository,
        .branch = cell->branch,
        .commit = cell->commit,
        .path = cell->path,
        .committed_at = cell->committed_at,
        .graded_at = cell->graded_at,
        .submission_sha256 = report->sha256,
        .exercise_version = batch->exercises[exercise].sha256,
        .seed = report->seed,
        .engine = report->engine,
        .jail = cell->jail,
        .tool_version = WARPGRADE_VERSION,
        .score = report->score,
        .max_score = report->max_score,
        .passed = report->passed,
        .verdict = verdict_infos[report->verdict].name,
        .message = report->message,
        .report_json = json,
        .cases = cases,
        .case_count = report->case_count,
    };
    return gradebook_store(batch->gradebook, &attempt, error);
}

static void fill_cell(struct batch_cell *cell, const struct report *report) {
    /* What could not be judged is no attempt of the student's. */
    cell->state = grade_exit_status(report) == STATUS_ENVIRONMENT ? BATCH_UNJUDGED : BATCH_GRADED;
    cell->score = report->score;
    cell->max_score = report->max_score;
    cell->passed = report->passed;
    snprintf(cell->verdict, sizeof cell->verdict, "%s", verdict_infos[report->verdict].name);
    snprintf(cell->jail, sizeof cell->jail, "%s", protection_names[report->protection.kind]);
    cell->message = mem_strdup(report->message ? report->message : "");
    cell->hint = mem_strdup("");
    cell->graded_at = (int64_t)time(NULL);
}

enum status batch_judge(const struct batch *batch, size_t student, size_t exercise,
                        const struct repo_file *file, struct report **report, struct error *error) {
    cleanup_free char *name = mem_printf("%s/%s", batch->course->students[student].id, file->path);
    const struct grade_source source = {.file = name, .text = file->data, .length = file->length};
    return grade_submission(batch->session, batch->exercises[exercise].exercise, &source, report,
                            error);
}

static enum status grade_file(struct batch *batch, size_t student, size_t exercise,
                              const struct repo_file *file, struct error *error) {
    struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    struct report **prefetch = &batch->prefetch[student * batch->course->exercise_count + exercise];
    struct report *report = steal_pointer(prefetch);
    enum status status =
        report ? STATUS_OK : batch_judge(batch, student, exercise, file, &report, error);
    if (status != STATUS_OK)
        return status;
    fill_cell(cell, report);
    cleanup_text struct text json = {0};
    status = batch_write_result(batch, student, exercise, report, &json, error);
    if (status == STATUS_OK && cell->state == BATCH_GRADED)
        status = store_attempt(batch, student, exercise, report, text_string(&json), error);
    keep_for_junit(batch, report);
    return status;
}

static enum status note_absent(struct batch *batch, size_t student, size_t exercise,
                               enum batch_state state, const char *message, const char *hint,
                               struct error *error) {
    struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    cell->state = state;
    cell->message = mem_strdup(message);
    cell->hint = mem_strdup(hint);
    cell->max_score = batch->exercises[exercise].exercise->max_score;
    keep_for_junit(batch, batch_absent_report(batch, student, exercise));
    return batch_write_result(batch, student, exercise, NULL, NULL, error);
}

/* ---- one student -------------------------------------------------------------------------- */

static enum status grade_snapshot(struct batch *batch, size_t student,
                                  const struct repo_snapshot *snapshot, struct error *error) {
    enum status status = STATUS_OK;
    for (size_t e = 0; e < snapshot->file_count && status == STATUS_OK; e++) {
        const struct repo_file *file = &snapshot->files[e];
        struct batch_cell *cell = batch_cell_at(batch, student, e);
        set_string(&cell->branch, snapshot->branch);
        set_string(&cell->path, file->path);
        const struct repo_commit *commit = file->commit.id[0] ? &file->commit : &snapshot->head;
        cell->committed_at = commit->committed_at;
        memcpy(cell->commit, commit->id, sizeof cell->commit);
        if (file->state == REPO_FILE_FOUND)
            status = grade_file(batch, student, e, file, error);
        else
            status = note_absent(batch, student, e,
                                 file->state == REPO_FILE_MISSING ? BATCH_MISSING : BATCH_REFUSED,
                                 file->message, file->hint, error);
    }
    return status;
}

static enum status note_unreadable(struct batch *batch, size_t student, const struct error *cause,
                                   struct error *error) {
    enum status status = STATUS_OK;
    for (size_t e = 0; e < batch->course->exercise_count && status == STATUS_OK; e++)
        status =
            note_absent(batch, student, e, BATCH_UNREADABLE, cause->message, cause->hint, error);
    return status;
}

static enum status start_fetch(const struct batch *batch, size_t student, struct repo_fetch **fetch,
                               struct error *error) {
    const struct course_student *owner = &batch->course->students[student];
    const struct repo_request request = {
        .location = owner->repository,
        .branch = owner->branch,
        .wants = batch->wants,
        .want_count = batch->course->exercise_count,
        .time_limit_seconds = batch->course->fetch_time_limit_seconds,
    };
    *fetch = NULL;
    return *owner->repository ? repo_fetch_start(&request, fetch, error) : STATUS_OK;
}

static enum status finish_student(struct batch *batch, const struct batch_fetched *fetched,
                                  struct error *error) {
    if (fetched->status == STATUS_INVALID)
        return note_unreadable(batch, fetched->student, &fetched->cause, error);
    if (fetched->status == STATUS_OK)
        return grade_snapshot(batch, fetched->student, &fetched->snapshot, error);
    if (error)
        *error = fetched->cause;
    return fetched->status;
}

static size_t next_selected(const struct batch *batch, size_t from) {
    while (from < batch->course->student_count && !batch->selected[from])
        from++;
    return from;
}

static enum status wait_fetch(struct repo_fetch *fetch, struct repo_snapshot *snapshot,
                              struct error *error) {
    *snapshot = (struct repo_snapshot){0};
    if (fetch)
        return repo_fetch_finish(fetch, snapshot, error);
    return error_set(error, STATUS_INVALID, "the roster names no repository");
}

/* The students that are being gone through. */
struct batch_roster {
    size_t student;           /* the next one, whose repository is being read */
    struct repo_fetch *fetch; /* NULL: the roster names none */
    size_t done, total;
};

/* Waits for up to `width` students' repositories, and starts to read that of the one after them. A
 * repository that the machine could not read is the last of its group. */
static enum status fetch_group(struct batch *batch, struct batch_roster *roster, size_t width,
                               struct batch_fetched *group, size_t *count, struct error *error) {
    size_t students = batch->course->student_count;
    enum status status = STATUS_OK;
    for (*count = 0; *count < width && roster->student < students && status == STATUS_OK;) {
        struct batch_fetched *fetched = &group[(*count)++];
        *fetched = (struct batch_fetched){.student = roster->student};
        fetched->status = wait_fetch(roster->fetch, &fetched->snapshot, &fetched->cause);
        roster->fetch = NULL;
        if (fetched->status == STATUS_ENVIRONMENT)
            return STATUS_OK;
        roster->student = next_selected(batch, roster->student + 1);
        if (roster->student < students)
            status = start_fetch(batch, roster->student, &roster->fetch, error);
    }
    return status;
}

static enum status grade_group(struct batch *batch, struct batch_roster *roster,
                               struct batch_fetched *group, size_t count, batch_progress *progress,
                               void *context, struct error *error) {
    enum status status = count > 1 ? batch_judge_prefetch(batch, group, count, error) : STATUS_OK;
    for (size_t i = 0; i < count; i++) {
        if (status == STATUS_OK)
            status = finish_student(batch, &group[i], error);
        repo_snapshot_free(&group[i].snapshot);
        if (status == STATUS_OK && progress)
            progress(context, batch, group[i].student, ++roster->done, roster->total);
    }
    return status;
}

static enum status grade_everybody(struct batch *batch, batch_progress *progress, void *context,
                                   struct error *error) {
    size_t students = batch->course->student_count, width = batch_width(batch), count;
    struct batch_roster roster = {.student = next_selected(batch, 0)};
    for (size_t s = 0; s < students; s++)
        roster.total += batch->selected[s];
    cleanup_free struct batch_fetched *group = mem_calloc(width, sizeof *group);
    enum status status = roster.student < students
                             ? start_fetch(batch, roster.student, &roster.fetch, error)
                             : STATUS_OK;
    while (status == STATUS_OK && roster.student < students) {
        status = fetch_group(batch, &roster, width, group, &count, error);
        if (status == STATUS_OK)
            status = grade_group(batch, &roster, group, count, progress, context, error);
    }
    repo_fetch_cancel(roster.fetch);
    return status;
}

enum status batch_run(struct batch *batch, batch_progress *progress, void *context,
                      struct error *error) {
    enum status status = grade_everybody(batch, progress, context, error);
    /* The first error counts; after it, what there is is still written as far as that goes. */
    struct error later;
    enum status written = recall_all(batch, &later);
    if (written == STATUS_OK)
        written = batch_write_tables(batch, &later);
    if (status != STATUS_OK || written == STATUS_OK)
        return status;
    if (error)
        *error = later;
    return written;
}

void batch_close(struct batch *batch) {
    if (!batch)
        return;
    size_t exercises = batch->course ? batch->course->exercise_count : 0;
    size_t cells = batch->cells ? batch->course->student_count * exercises : 0;
    for (size_t i = 0; i < cells; i++) {
        free(batch->cells[i].message);
        free(batch->cells[i].hint);
        free(batch->cells[i].branch);
        free(batch->cells[i].path);
    }
    for (size_t i = 0; batch->exercises && i < exercises; i++)
        exercise_free(batch->exercises[i].exercise);
    for (size_t i = 0; i < batch->report_count; i++)
        report_free(batch->reports[i]);
    for (size_t i = 0; batch->prefetch && i < cells; i++)
        report_free(batch->prefetch[i]);
    free(batch->prefetch);
    gradebook_close(batch->gradebook);
    grade_close(batch->session);
    free(batch->reports);
    free(batch->exercises);
    free(batch->wants);
    free(batch->selected);
    free(batch->cells);
    free(batch->output);
    course_free(batch->course);
    free(batch);
}
