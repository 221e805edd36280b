/* From a student's repository to submissions that are judged, and back to everyone who handed the
 * same in.
 *
 * For each exercise one commit is asked for: the last one in time or, where the course takes late
 * work, also the last one that still counts. What the gradebook has is not judged again; the same
 * bytes are judged once. */
#include "grader/batch/batch_private.h"

#include "grader/judge/judge.h"
#include "reports/protection.h"
#include "sandbox/base/file.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 2 };

/* ---- what is asked for -------------------------------------------------------------------- */

struct wishes {
    struct repo_want wants[REPO_MAX_WANTS];
    size_t exercises[REPO_MAX_WANTS];
    size_t count;
};

static void wish(struct wishes *wishes, const struct course *course, size_t exercise,
                 int64_t not_after, const char *pin) {
    const struct course_exercise *named = &course->exercises[exercise];
    struct repo_want *want = &wishes->wants[wishes->count];
    wishes->exercises[wishes->count++] = exercise;
    *want = (struct repo_want){
        .candidate_count = named->path_count, .not_after = not_after, .pin = pin};
    for (size_t i = 0; i < named->path_count; i++)
        want->candidates[i] = named->paths[i];
}

/* The same for the same student each time: once to ask, once to read the answer. */
static void fill_wishes(struct wishes *wishes, const struct course *course, size_t student) {
    wishes->count = 0;
    for (size_t e = 0; e < course->exercise_count; e++) {
        const char *pin = course_pin(course, student, e);
        int64_t deadline = course_deadline(course, student, e),
                last = course_last_instant(course, student, e);
        if (pin)
            wish(wishes, course, e, INT64_MAX, pin);
        else
            wish(wishes, course, e, deadline, NULL);
        if (!pin && last > deadline)
            wish(wishes, course, e, last, NULL);
    }
}

enum status batch_start_reading(struct batch *batch, size_t student, struct error *error) {
    const struct course_student *owner = &batch->course->students[student];
    struct batch_reading *place = batch->readings;
    while (place->fetch)
        place++;
    cleanup_free struct wishes *wishes = mem_zalloc(sizeof *wishes);
    fill_wishes(wishes, batch->course, student);
    const struct repo_request request = {
        .location = owner->repository,
        .branch = owner->branch,
        .wants = wishes->wants,
        .want_count = wishes->count,
        .time_limit_seconds = batch->course->fetch_time_limit_seconds,
        .cache = batch->cache,
        .ssh_key = batch->course->ssh_key,
        .known_hosts = batch->course->known_hosts,
        .ca_file = batch->course->ca_file,
    };
    place->student = student;
    return repo_fetch_start(&request, &place->fetch, error);
}

/* ---- units -------------------------------------------------------------------------------- */

static struct batch_unit *find_unit(struct batch *batch, const struct batch_handed *handed,
                                    const char *name) {
    for (size_t i = 0; i < batch->unit_count; i++) {
        struct batch_unit *unit = batch->units[i];
        if (unit->exercise == handed->exercise && strcmp(unit->sha256, handed->sha256) == 0 &&
            strcmp(unit->name, name) == 0)
            return unit;
    }
    return NULL;
}

static void add_owner(struct batch *batch, struct batch_unit *unit, size_t handed) {
    const struct batch_handed *entry = &batch->handed[handed];
    *mem_push(&unit->owners, &unit->owner_count, &unit->owner_capacity) = handed;
    batch_cell_at(batch, entry->student, entry->exercise)->waiting++;
    batch->waiting[entry->student]++;
}

static enum status judge(struct batch *batch, size_t handed, const struct repo_file *file,
                         struct error *error) {
    const struct batch_handed *entry = &batch->handed[handed];
    const char *name = file_base_name(entry->path);
    struct batch_unit *unit = find_unit(batch, entry, name);
    if (unit) {
        add_owner(batch, unit, handed);
        return STATUS_OK;
    }
    unit = mem_zalloc(sizeof *unit);
    *unit = (struct batch_unit){
        .exercise = entry->exercise,
        .definition = batch->exercises[entry->exercise].exercise,
        .version = batch->exercises[entry->exercise].version,
        .name = mem_strdup(name),
        .text = mem_dup(file->data, file->length + 1),
        .length = file->length,
    };
    memcpy(unit->sha256, entry->sha256, sizeof unit->sha256);
    add_owner(batch, unit, handed);
    *mem_push(&batch->units, &batch->unit_count, &batch->unit_capacity) = unit;
    return batch->judges->give(batch->judges, unit, error);
}

static void forget_unit(struct batch *batch, const struct batch_unit *unit) {
    for (size_t i = 0; i < batch->unit_count; i++)
        if (batch->units[i] == unit)
            batch->units[i] = batch->units[--batch->unit_count];
}

/* ---- what became of a submission ---------------------------------------------------------- */

enum status batch_note_absent(struct batch *batch, size_t student, size_t exercise,
                              enum batch_state state, const char *message, const char *hint,
                              struct error *error) {
    struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    cell->state = state;
    batch_set_string(&cell->message, message ? message : "");
    batch_set_string(&cell->hint, hint ? hint : "");
    cell->max_score = batch->exercises[exercise].exercise->max_score;
    if (batch->options.dry_run)
        return STATUS_OK;
    enum status status = batch_store_absence(batch, student, exercise, error);
    return status == STATUS_OK ? batch_write_absent(batch, student, exercise, error) : status;
}

static void fill_cell(struct batch_cell *cell, const struct report *report) {
    cell->score = report->score;
    cell->max_score = report->max_score;
    cell->passed = report->passed;
    snprintf(cell->verdict, sizeof cell->verdict, "%s", verdict_infos[report->verdict].name);
    snprintf(cell->jail, sizeof cell->jail, "%s", protection_names[report->protection.kind]);
    batch_set_string(&cell->message, report->message ? report->message : "");
    batch_set_string(&cell->hint, "");
    cell->graded_at = (int64_t)time(NULL);
}

/* What could not be judged and where, as the first such case says it; the report's own line counts
 * cases. */
static const char *unjudged_message(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        bool unjudged = item->verdict == VERDICT_INTERNAL_ERROR || judge_is_undecided(item);
        if (unjudged && item->message && *item->message)
            return item->message;
    }
    return report->message ? report->message : "";
}

/* Of a file in time that a later one follows: it may be worth more, and must not be forgotten. What
 * becomes of the row is known when the later one has been judged, too. */
static void note_unjudged(struct batch *batch, const struct batch_handed *handed,
                          const char *cause) {
    struct batch_cell *cell = batch_cell_at(batch, handed->student, handed->exercise);
    free(cell->unjudged);
    cell->unjudged = mem_printf("the file in time (commit %.10s) could not be judged: %s",
                                handed->commit, cause);
}

/* The report as this student's own. What could not be judged is no attempt. */
static enum status give_report(struct batch *batch, const struct batch_handed *handed,
                               struct report *report, struct error *error) {
    struct batch_cell *cell = batch_cell_at(batch, handed->student, handed->exercise);
    bool judged = grade_exit_status(report) != STATUS_ENVIRONMENT;
    if (handed->is_last) {
        fill_cell(cell, report);
        cell->state = judged ? BATCH_GRADED : BATCH_UNJUDGED;
        if (!judged)
            batch_set_string(&cell->message, unjudged_message(report));
    }
    batch->counts.graded += judged;
    *(report->passed ? &batch->counts.passed : &batch->counts.failed) += judged;
    free(report->file);
    report->file = mem_printf("%s/%s", batch->course->students[handed->student].id, handed->path);
    cleanup_text struct text json = {0};
    enum status status =
        batch_write_report(batch, handed->student, handed->exercise, report, &json, error);
    if (status == STATUS_OK && judged)
        status = batch_store(batch, handed, report, text_string(&json), error);
    else if (status == STATUS_OK && handed->is_last)
        status = batch_store_absence(batch, handed->student, handed->exercise, error);
    else if (status == STATUS_OK)
        note_unjudged(batch, handed, unjudged_message(report));
    return status;
}

/* The machine could not judge it, twice: it costs this row. */
static enum status give_up(struct batch *batch, const struct batch_unit *unit,
                           struct error *error) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < unit->owner_count && status == STATUS_OK; i++) {
        const struct batch_handed *handed = &batch->handed[unit->owners[i]];
        if (handed->is_last)
            status = batch_note_absent(batch, handed->student, handed->exercise, BATCH_UNJUDGED,
                                       unit->error.message, unit->error.hint, error);
        else
            note_unjudged(batch, handed, unit->error.message);
    }
    return status;
}

static bool has_failed(const struct batch_unit *unit) {
    return unit->status == STATUS_ENVIRONMENT ||
           (unit->status == STATUS_OK && grade_exit_status(unit->report) == STATUS_ENVIRONMENT);
}

static enum status give_to_owners(struct batch *batch, const struct batch_unit *unit,
                                  struct error *error) {
    if (unit->status == STATUS_ENVIRONMENT)
        return give_up(batch, unit, error);
    if (unit->status != STATUS_OK) {
        if (error)
            *error = unit->error;
        return unit->status;
    }
    enum status status = STATUS_OK;
    for (size_t i = 0; i < unit->owner_count && status == STATUS_OK; i++)
        status = give_report(batch, &batch->handed[unit->owners[i]], unit->report, error);
    return status;
}

enum status batch_finish_unit(struct batch *batch, struct batch_unit *unit, struct error *error) {
    bool failed = has_failed(unit);
    if (failed && unit->tries < TRIES) { /* a worker that was killed from outside */
        report_free(unit->report);
        unit->report = NULL;
        return batch->judges->give(batch->judges, unit, error);
    }
    if (batch_is_probe(unit))
        return batch_finish_probe(batch, unit, failed, error);
    forget_unit(batch, unit);
    enum status status = give_to_owners(batch, unit, error);
    if (!failed)
        batch->failed_in_row = 0;
    else if (status == STATUS_OK)
        status = batch_note_failure(batch, unit, error);
    for (size_t i = 0; i < unit->owner_count; i++) {
        const struct batch_handed *handed = &batch->handed[unit->owners[i]];
        batch_cell_at(batch, handed->student, handed->exercise)->waiting--;
        batch->waiting[handed->student]--;
    }
    batch_unit_free(unit);
    return status;
}

/* ---- what was handed in ------------------------------------------------------------------- */

static size_t add_handed(struct batch *batch, size_t student, size_t exercise,
                         const struct repo_snapshot *snapshot, const struct repo_file *file) {
    const struct repo_commit *commit = *file->changed.id ? &file->changed : &file->commit;
    size_t index = batch->handed_count;
    struct batch_handed *handed =
        mem_push(&batch->handed, &batch->handed_count, &batch->handed_capacity);
    *handed = (struct batch_handed){
        .student = student,
        .exercise = exercise,
        .path = mem_strdup(file->path),
        .branch = mem_strdup(snapshot->branch),
        .authored_at = commit->authored_at,
        .committed_at = commit->committed_at,
        .fetched_at = snapshot->fetched_at,
        .flags = file->flags,
        .pinned = course_pin(batch->course, student, exercise) != NULL,
        .is_last = true,
    };
    memcpy(handed->commit, commit->id, sizeof handed->commit);
    struct sha256 hash = hash_bytes(file->data, file->length);
    hash_hex(&hash, handed->sha256);
    return index;
}

static void show_handed(struct batch_cell *cell, const struct batch_handed *handed) {
    batch_set_string(&cell->branch, handed->branch);
    batch_set_string(&cell->path, handed->path);
    memcpy(cell->commit, handed->commit, sizeof cell->commit);
    cell->authored_at = handed->authored_at;
    cell->committed_at = handed->committed_at;
    cell->fetched_at = handed->fetched_at;
    cell->flags = handed->flags;
    cell->handed_in++;
}

static bool is_too_old(const struct batch *batch, const struct batch_handed *handed) {
    return handed->committed_at < batch->since;
}

static enum status grade_handed(struct batch *batch, size_t index, const struct repo_file *file,
                                struct error *error) {
    const struct batch_handed *handed = &batch->handed[index];
    struct report *report = NULL;
    bool known;
    enum status status = batch_recall(batch, handed, &known, error);
    struct batch_cell *cell = batch_cell_at(batch, handed->student, handed->exercise);
    show_handed(cell, handed);
    batch->counts.recorded += known;
    if (status != STATUS_OK || known || batch->options.dry_run || is_too_old(batch, handed))
        return status;
    status = batch_recall_same(batch, handed, &report, error);
    if (status != STATUS_OK)
        return status;
    status = report ? give_report(batch, handed, report, error) : judge(batch, index, file, error);
    report_free(report);
    return status;
}

static enum batch_state absent_state(enum repo_file_state state) {
    return state == REPO_FILE_MISSING ? BATCH_MISSING
           : state == REPO_FILE_LATE  ? BATCH_LATE
                                      : BATCH_REFUSED;
}

/* The answers to one exercise's wishes: in time, and then late. */
static enum status take_exercise(struct batch *batch, size_t student, size_t exercise,
                                 const struct repo_snapshot *snapshot,
                                 const struct repo_file *const *files, size_t count,
                                 struct error *error) {
    size_t indices[2];
    const struct repo_file *found[2];
    size_t found_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (files[i]->state != REPO_FILE_FOUND)
            continue;
        size_t index = add_handed(batch, student, exercise, snapshot, files[i]);
        if (found_count > 0) {
            struct batch_handed *before = &batch->handed[indices[0]];
            if (strcmp(before->sha256, batch->handed[index].sha256) == 0 &&
                strcmp(before->path, batch->handed[index].path) == 0) {
                batch->handed_count--; /* the same file: it was in time */
                free(batch->handed[index].path);
                free(batch->handed[index].branch);
                continue;
            }
            before->is_last = false;
        }
        found[found_count] = files[i];
        indices[found_count++] = index;
    }
    if (found_count == 0) {
        const struct repo_file *file = files[count - 1];
        batch_cell_at(batch, student, exercise)->late_at = file->late_at;
        return batch_note_absent(batch, student, exercise, absent_state(file->state), file->message,
                                 file->hint, error);
    }
    enum status status = STATUS_OK;
    for (size_t i = 0; i < found_count && status == STATUS_OK; i++)
        status = grade_handed(batch, indices[i], found[i], error);
    return status;
}

static enum status take_snapshot(struct batch *batch, size_t student,
                                 const struct repo_snapshot *snapshot, struct error *error) {
    cleanup_free struct wishes *wishes = mem_zalloc(sizeof *wishes);
    fill_wishes(wishes, batch->course, student);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < wishes->count && status == STATUS_OK;) {
        const struct repo_file *files[2] = {&snapshot->files[i]};
        size_t exercise = wishes->exercises[i++], count = 1;
        if (i < wishes->count && wishes->exercises[i] == exercise)
            files[count++] = &snapshot->files[i++];
        status = take_exercise(batch, student, exercise, snapshot, files, count, error);
    }
    return status;
}

enum status batch_hand_in(struct batch *batch, size_t student, struct repo_snapshot *snapshot,
                          enum status read, const struct error *cause, struct error *error) {
    if (read == STATUS_OK)
        return take_snapshot(batch, student, snapshot, error);
    enum status status = STATUS_OK;
    for (size_t e = 0; e < batch->course->exercise_count && status == STATUS_OK; e++)
        status = batch_note_absent(batch, student, e, BATCH_UNREADABLE, cause->message, cause->hint,
                                   error);
    return status;
}
