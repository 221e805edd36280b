/* The run of a batch: read repositories, judge what is new, store, go on.
 *
 * One thread does all of it but the judging: it starts the processes that read repositories
 * (repo/), gives submissions to the judges (judges.h), and takes back what they have judged, in
 * whatever order that is. All submissions share one session, so a whole class is judged with the
 * same data and the reference's results are computed once. */
#include "grader/batch/batch_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/isolation/jail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WAIT_MS = 100,
    BRIEF_WAIT_MS = 2,
};

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

bool batch_is_dry(const struct batch *batch) {
    return batch->options.dry_run;
}

bool batch_was_ended(const struct batch *batch) {
    return batch->ended;
}

enum status batch_status(const struct batch *batch) {
    size_t count = batch->course->student_count * batch->course->exercise_count;
    size_t states[BATCH_STATE_COUNT] = {0};
    for (size_t i = 0; i < count; i++)
        states[batch->cells[i].state]++;
    if (states[BATCH_UNJUDGED] && !states[BATCH_GRADED] && !states[BATCH_RECORDED])
        return STATUS_ENVIRONMENT;
    return states[BATCH_UNJUDGED] || states[BATCH_UNREADABLE] ? STATUS_BELOW_MARK : STATUS_OK;
}

void batch_set_string(char **string, const char *value) {
    char *old = *string;
    *string = mem_strdup(value);
    free(old);
}

/* ---- opening ------------------------------------------------------------------------------ */

static enum status select_students(struct batch *batch, const struct batch_options *options,
                                   struct error *error) {
    const struct course *course = batch->course;
    batch->selected = mem_calloc(course->student_count, sizeof *batch->selected);
    for (size_t i = 0; i < course->student_count; i++)
        batch->selected[i] = options->only_count == 0;
    for (size_t k = 0; k < options->only_count; k++) {
        size_t found = course_find_student(course, options->only[k]);
        if (found != COURSE_NONE) {
            batch->selected[found] = true;
            continue;
        }
        cleanup_free const char **ids = mem_calloc(course->student_count, sizeof *ids);
        for (size_t i = 0; i < course->student_count; i++)
            ids[i] = course->students[i].id;
        enum status status =
            error_set(error, STATUS_INVALID, "no student has the id %.80s", options->only[k]);
        const char *closest = text_closest(options->only[k], ids, course->student_count);
        if (strchr(options->only[k], ','))
            error_hint(error, "give --only once for each student");
        else if (closest)
            error_hint(error, "did you mean %s?", closest);
        return status;
    }
    return STATUS_OK;
}

static enum grade_engine engine_of(const struct course *course) {
    switch (course->engine) {
    case COURSE_ENGINE_SIM:
        return GRADE_ENGINE_SIM;
    case COURSE_ENGINE_CUDA:
        return GRADE_ENGINE_CUDA;
    default:
        return GRADE_ENGINE_AUTO;
    }
}

/* A run that was ended from outside is gone on with: its seed, and what it graded again. One that
 * is for some students or commits takes part in that, but with --all it is a matter of its own. */
static enum status find_begun(struct batch *batch, struct grade_options *grade,
                              struct error *error) {
    const struct batch_options *options = &batch->options;
    grade->has_seed = options->has_seed || batch->course->has_seed;
    grade->seed = options->has_seed ? options->seed : batch->course->seed;
    batch->all = options->all;
    if (!batch->gradebook || (options->all && (options->only_count > 0 || options->since)))
        return STATUS_OK;
    const struct gradebook_begun like = {.seed = grade->seed, .all = options->all};
    enum status status =
        gradebook_begun_run(batch->gradebook, &like, grade->has_seed, &batch->begun, error);
    if (status != STATUS_OK || !batch->begun.run)
        return status;
    grade->has_seed = true;
    grade->seed = batch->begun.seed;
    batch->all = batch->begun.all;
    return STATUS_OK;
}

/* The session is for its seed alone then; with a dry run nobody judges. */
static enum status open_cluster(struct batch *batch, struct grade_options *grade,
                                struct error *error) {
    const struct course *course = batch->course;
    enum grade_engine engine = grade->engine;
    cleanup_free char *folder = mem_printf("%s.cluster", course->gradebook);
    batch->engine = cluster_engine(batch->options.cluster, engine);
    grade->engine = GRADE_ENGINE_SIM;
    grade->elsewhere = true;
    enum status status = grade_open(grade, &batch->session, error);
    if (status != STATUS_OK)
        return status;
    if (batch->options.dry_run) {
        batch->judges = judges_local(batch->session, 1);
        return STATUS_OK;
    }
    grade->engine = engine;
    grade->has_seed = true;
    grade->seed = grade_seed(batch->session);
    return judges_open_slurm(batch->options.cluster, grade,
                             course->has_pass_mark ? &course->pass_mark : NULL, folder,
                             &batch->judges, error);
}

/* Points that count for something can be asked to rest on the strongest walls there are. A machine
 * that can have no jail at all is told so by grade_open(). */
static enum status check_full_jail(const struct batch *batch, struct error *error) {
    if (jail_is_unsafe()) {
        error_set(error, STATUS_INVALID, "the course requires the full jail (require: namespaces)");
        error_hint(error, "run it without --unsafe-no-jail");
        return STATUS_INVALID;
    }
    if (batch->options.cluster) { /* each node makes its own, or ends its task */
        jail_set_kind(JAIL_NAMESPACES);
        return STATUS_OK;
    }
    if (jail_kind() != JAIL_LANDLOCK)
        return STATUS_OK;
    error_set(error, STATUS_ENVIRONMENT,
              "the course requires the full jail (require: namespaces), and here there is only the "
              "one with Landlock");
    error_hint(error, "`warpgrade doctor` says how to get user namespaces; or grade on another "
                      "machine, or take `require` out of the course");
    return STATUS_ENVIRONMENT;
}

/* Without cards each submission has one processor, and as many are judged side by side as there are
 * processors; with cards, one submission is measured on each. */
static enum status open_session(struct batch *batch, struct error *error) {
    const struct course *course = batch->course;
    struct grade_options grade = {
        .engine = engine_of(course), .language = course->language, .device = course->device};
    enum status status = course->require_namespaces ? check_full_jail(batch, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = find_begun(batch, &grade, error);
    if (status != STATUS_OK)
        return status;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t width = batch->options.jobs ? batch->options.jobs
                   : course->jobs      ? course->jobs
                   : processors > 0    ? (size_t)processors
                                       : 1;
    if (batch->options.cluster)
        return open_cluster(batch, &grade, error);
    status = judges_open_local(&grade, width, &batch->session, &batch->judges, error);
    if (status == STATUS_OK)
        batch->engine = judges_engine_name(grade.engine, grade_card_count(batch->session) > 0);
    return status;
}

static enum status open_book(struct batch *batch, struct error *error) {
    const char *path = batch->course->gradebook;
    if (batch->options.dry_run)
        return file_exists(path) ? gradebook_open_copy(path, &batch->gradebook, error) : STATUS_OK;
    enum status status = gradebook_open(path, &batch->gradebook, error);
    return status == STATUS_OK ? batch_lock(batch, error) : status;
}

/* It holds everybody's grades and the cases that the course hides: a new one is closed to others,
 * as the gradebook is. Whoever opens it finds it as they left it. */
static enum status make_output(const char *path, struct error *error) {
    bool is_there = file_exists(path);
    enum status status = file_make_directories(path, error);
    if (status == STATUS_OK && !is_there && chmod(path, 0700) != 0)
        status = error_set(error, STATUS_ENVIRONMENT, "cannot close the folder %s to others: %s",
                           path, strerror(errno));
    return status;
}

enum status batch_open(const struct batch_options *options, struct batch **out,
                       struct error *error) {
    *out = NULL;
    struct batch *batch = mem_zalloc(sizeof *batch);
    batch->options = *options;
    batch->since = INT64_MIN;
    batch->lock = -1;
    enum status status = course_load(options->course, &batch->course, error);
    if (status == STATUS_OK)
        status = select_students(batch, options, error);
    if (status == STATUS_OK && options->since)
        status = course_since(batch->course, options->since, &batch->since, error);
    if (status == STATUS_OK)
        status = batch_load_exercises(batch, error);
    if (status == STATUS_OK) {
        const struct course *course = batch->course;
        batch->output = mem_strdup(options->output ? options->output : course->output);
        if (!options->dry_run) /* which leaves the course's folder as it is */
            batch->cache = mem_printf("%s.cache", course->gradebook);
        batch->cells =
            mem_calloc(course->student_count * course->exercise_count, sizeof *batch->cells);
        batch->waiting = mem_calloc(course->student_count, sizeof *batch->waiting);
        if (!options->dry_run)
            status = make_output(batch->output, error);
    }
    if (status == STATUS_OK)
        status = open_book(batch, error);
    if (status == STATUS_OK)
        status = open_session(batch, error);
    if (status != STATUS_OK) {
        batch_close(batch);
        return status;
    }
    *out = batch;
    return STATUS_OK;
}

/* ---- running ------------------------------------------------------------------------------ */

struct teller {
    batch_progress *progress;
    void *context;
};

static void tell(struct batch *batch, const struct teller *teller, size_t student) {
    batch->counts.running = batch->judges->waiting < batch->judges->width ? batch->judges->waiting
                                                                          : batch->judges->width;
    batch->counts.waiting = batch->judges->waiting - batch->counts.running;
    batch->counts.note = batch->judges->say ? batch->judges->say(batch->judges) : "";
    if (teller->progress)
        teller->progress(teller->context, batch, &batch->counts, student);
}

static void student_done(struct batch *batch, const struct teller *teller, size_t student) {
    batch->counts.students_done++;
    tell(batch, teller, student);
}

static size_t next_selected(const struct batch *batch, size_t from) {
    while (from < batch->course->student_count && !batch->selected[from])
        from++;
    return from;
}

static enum status finish_reading(struct batch *batch, struct batch_reading *reading,
                                  const struct teller *teller, struct error *error) {
    struct repo_snapshot snapshot = {0};
    struct error cause = {0};
    size_t student = reading->student;
    enum status read = repo_fetch_finish(reading->fetch, &snapshot, &cause);
    reading->fetch = NULL;
    if (read != STATUS_OK && read != STATUS_INVALID) {
        if (error)
            *error = cause;
        return read;
    }
    enum status status = batch_hand_in(batch, student, &snapshot, read, &cause, error);
    repo_snapshot_free(&snapshot);
    if (status == STATUS_OK && batch->waiting[student] == 0)
        student_done(batch, teller, student);
    return status;
}

/* Where the roster names none, there is nothing to read. */
static enum status start_next(struct batch *batch, const struct teller *teller,
                              struct error *error) {
    static const struct error none = {.message = "the roster names no repository"};
    size_t student = batch->next_student;
    batch->next_student = next_selected(batch, student + 1);
    if (*batch->course->students[student].repository)
        return batch_start_reading(batch, student, error);
    enum status status = batch_hand_in(batch, student, NULL, STATUS_INVALID, &none, error);
    if (status == STATUS_OK)
        student_done(batch, teller, student);
    return status;
}

static enum status read_some(struct batch *batch, const struct teller *teller, bool *busy,
                             struct error *error) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < BATCH_FETCHES && status == STATUS_OK; i++) {
        struct batch_reading *reading = &batch->readings[i];
        if (reading->fetch && repo_fetch_ready(reading->fetch)) {
            status = finish_reading(batch, reading, teller, error);
            *busy = true;
        }
        bool wanted = !batch->ended && batch->judges->waiting < batch->judges->backlog &&
                      batch->next_student < batch->course->student_count;
        if (status == STATUS_OK && !reading->fetch && wanted) {
            status = start_next(batch, teller, error);
            *busy = true;
        }
    }
    return status;
}

static bool reads(const struct batch *batch) {
    for (size_t i = 0; i < BATCH_FETCHES; i++)
        if (batch->readings[i].fetch)
            return true;
    return !batch->ended && batch->next_student < batch->course->student_count;
}

static enum status take_unit(struct batch *batch, const struct teller *teller, int wait_ms,
                             bool *busy, struct error *error) {
    enum status status;
    struct batch_unit *unit = batch->judges->take(batch->judges, wait_ms, &status, error);
    if (!unit)
        return status;
    *busy = true;
    cleanup_free size_t *students = mem_calloc(unit->owner_count, sizeof *students);
    size_t count = unit->owner_count;
    for (size_t i = 0; i < count; i++)
        students[i] = batch->handed[unit->owners[i]].student;
    status = batch_finish_unit(batch, unit, error);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (batch->waiting[students[i]] == 0 && (i == 0 || students[i] != students[i - 1]))
            student_done(batch, teller, students[i]);
    return status;
}

static enum status grade_everybody(struct batch *batch, const struct teller *teller,
                                   struct error *error) {
    for (size_t s = 0; s < batch->course->student_count; s++)
        batch->counts.students += batch->selected[s];
    batch->next_student = next_selected(batch, 0);
    enum status status = STATUS_OK;
    for (bool busy = true;
         status == STATUS_OK && (reads(batch) || (batch->judges->waiting && !batch->ended));) {
        int wait_ms = busy ? 0 : reads(batch) ? BRIEF_WAIT_MS : WAIT_MS;
        busy = false;
        batch->ended |= batch->options.ended && *batch->options.ended;
        status = take_unit(batch, teller, wait_ms, &busy, error);
        if (status == STATUS_OK)
            status = read_some(batch, teller, &busy, error);
        if (!busy)
            tell(batch, teller, SIZE_MAX);
    }
    for (size_t i = 0; i < BATCH_FETCHES; i++)
        repo_fetch_cancel(steal_pointer(&batch->readings[i].fetch));
    return status;
}

/* Of a file in time and a later one, which of them counts is known now. */
static enum status settle(struct batch *batch, struct error *error) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < batch->handed_count && status == STATUS_OK; i++) {
        const struct batch_handed *handed = &batch->handed[i];
        const struct batch_cell *cell = batch_cell_at(batch, handed->student, handed->exercise);
        if (cell->handed_in > 1 && cell->waiting == 0 && handed->is_last &&
            (cell->state == BATCH_GRADED || cell->state == BATCH_RECORDED))
            status = batch_confirm_last(batch, handed, error);
    }
    for (size_t s = 0; s < batch->course->student_count; s++)
        for (size_t e = 0; e < batch->course->exercise_count && status == STATUS_OK; e++)
            if (batch_cell_at(batch, s, e)->unjudged)
                status = batch_note_absent(batch, s, e, BATCH_UNJUDGED,
                                           batch_cell_at(batch, s, e)->unjudged, "", error);
    return status;
}

static enum status write_all(struct batch *batch, struct error *error) {
    enum status status = settle(batch, error);
    if (status == STATUS_OK)
        status = batch_penalise(batch, error);
    if (status == STATUS_OK)
        status = batch_recall_all(batch, error);
    if (status == STATUS_OK)
        status = batch_write_grades(batch, error);
    if (status == STATUS_OK)
        status = batch_write_totals(batch, error);
    if (status == STATUS_OK)
        status = batch_write_class(batch, error);
    return status;
}

enum status batch_run(struct batch *batch, batch_progress *progress, void *context,
                      struct error *error) {
    const struct teller teller = {progress, context};
    if (batch->options.dry_run) {
        return grade_everybody(batch, &teller, error);
    }
    enum status status = batch_begin_run(batch, error);
    if (status != STATUS_OK)
        return status;
    status = grade_everybody(batch, &teller, error);
    if (batch->ended && batch->judges->abandon)
        batch->judges->abandon(batch->judges);
    /* The first error counts; after it, what there is is still written as far as that goes. */
    struct error later;
    enum status written = write_all(batch, &later);
    if (written == STATUS_OK && status == STATUS_OK && !batch->ended)
        written = batch_end_run(batch, &later);
    if (batch->ended) /* the caller may leave without batch_close() */
        batch_unlock(batch);
    if (status != STATUS_OK || written == STATUS_OK)
        return status;
    if (error)
        *error = later;
    return written;
}

static void free_cells(struct batch *batch, size_t count) {
    for (size_t i = 0; batch->cells && i < count; i++) {
        struct batch_cell *cell = &batch->cells[i];
        char *const strings[] = {cell->message,        cell->hint,     cell->branch,  cell->path,
                                 cell->penalty_reason, cell->override, cell->unjudged};
        for (size_t k = 0; k < ARRAY_LENGTH(strings); k++)
            free(strings[k]);
    }
    free(batch->cells);
}

void batch_close(struct batch *batch) {
    if (!batch)
        return;
    size_t exercises = batch->course ? batch->course->exercise_count : 0;
    if (batch->judges)
        batch->judges->close(batch->judges);
    batch_unlock(batch);
    free_cells(batch, batch->course ? batch->course->student_count * exercises : 0);
    for (size_t i = 0; batch->exercises && i < exercises; i++)
        exercise_free(batch->exercises[i].exercise);
    for (size_t i = 0; i < batch->handed_count; i++) {
        free(batch->handed[i].path);
        free(batch->handed[i].branch);
    }
    gradebook_close(batch->gradebook);
    grade_close(batch->session);
    free(batch->handed);
    free(batch->units);
    free(batch->waiting);
    free(batch->exercises);
    free(batch->selected);
    free(batch->output);
    free(batch->cache);
    course_free(batch->course);
    free(batch);
}
