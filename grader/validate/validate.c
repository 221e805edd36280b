/* The proof of an exercise, row by row; see validate.h. Everything is graded exactly as a student's
 * submission is: an exercise that is proved here behaves so in class. */
#include "grader/validate/validate.h"

#include "grader/cases/plan.h"
#include "grader/grade/grade_private.h"
#include "grader/judge/score.h"
#include "grader/validate/candidates.h"
#include "grader/validate/validate_private.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE_MAX = 1 << 20, SLOWEST_REFERENCE_MS = 200, FEWEST_MUTANTS = 6 };

/* What a submission is expected to end with. The skeleton of an exercise about a bug falls to the
 * check that the YAML names, as a mutant does, and is below the pass mark as every skeleton. */
enum expectation { EXPECT_FULL, EXPECT_FAIL, EXPECT_UNTOUCHED, EXPECT_MUTANT };

static void add_row(struct validate_result *result, const struct exercise *exercise,
                    const char *subject, char *expected, char *found, bool proved) {
    *mem_push(&result->rows, &result->count, &result->capacity) =
        (struct validate_row){.exercise = mem_strdup(exercise->id),
                              .subject = mem_strdup(subject),
                              .expected = expected,
                              .found = found,
                              .proved = proved};
    result->failed += !proved;
}

/* ---- submissions ----------------------------------------------------------------------------- */

static bool has_hazard(const struct report *report, enum hazard_kind kind) {
    for (size_t i = 0; i < report->case_count; i++)
        for (size_t j = 0; j < report->cases[i].hazard_count; j++)
            if (report->cases[i].hazards[j].kind == kind &&
                report->cases[i].hazards[j].severity == SEVERITY_ERROR)
                return true;
    return false;
}

/* A warning would give a mutant's mistake away. */
static const struct build_diagnostic *find_warning(const struct report *report) {
    for (size_t i = 0; i < report->diagnostic_count; i++)
        if (report->diagnostics[i].severity == BUILD_WARNING)
            return &report->diagnostics[i];
    return NULL;
}

/* Right and slow may be enough to pass; wrong is not. */
static bool is_wrong(enum verdict verdict) {
    return verdict_infos[verdict].severity > verdict_infos[VERDICT_TOO_SLOW].severity;
}

/* brief: what was left out could only have cost more points. */
static char *describe_found(const struct report *report, bool is_mutant, bool brief) {
    struct text out = {0};
    text_append(&out, verdict_infos[report->verdict].name);
    for (unsigned kind = 0; kind < HAZARD_COUNT; kind++)
        if (has_hazard(report, (enum hazard_kind)kind))
            text_printf(&out, ", %s", hazard_infos[kind].name);
    text_append(&out, "; ");
    if (report->build_message || report->verdict == VERDICT_INTERNAL_ERROR) {
        text_append(&out, report->message);
        return text_steal(&out);
    }
    text_append(&out, brief ? "at most " : "");
    report_append_points(&out, report->score);
    text_append(&out, " of ");
    report_append_points(&out, report->max_score);
    if (report->passed && is_wrong(report->verdict))
        text_append(&out, ", which passes");
    const struct build_diagnostic *warning = find_warning(report);
    if (warning && is_mutant)
        text_printf(&out, "; the compiler warns in line %u: %s", warning->line, warning->text);
    return text_steal(&out);
}

static char *describe_expected(enum expectation expectation, const struct exercise_mutant *mutant) {
    if (expectation == EXPECT_FULL)
        return mem_strdup("pass; full score");
    if (expectation == EXPECT_FAIL)
        return mem_strdup("below the pass mark");
    const char *below = is_wrong(mutant->verdict) ? "; below the pass mark" : "";
    if (mutant->has_hazard)
        return mem_printf("%s, %s%s", verdict_infos[mutant->verdict].name,
                          hazard_infos[mutant->hazard].name, below);
    return mem_printf("%s%s", verdict_infos[mutant->verdict].name, below);
}

/* On a GPU the reference runs in every round of measuring: NULL, or that it takes too long for it.
 */
static char *find_slow_reference(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++) {
        double ms = report->cases[i].speed.measured.reference_ms;
        if (ms > SLOWEST_REFERENCE_MS)
            return mem_printf("the reference takes %.0f ms at the measured sizes, and at most %d "
                              "are of use: smaller measured_sizes, or more blocks for it",
                              ms, SLOWEST_REFERENCE_MS);
    }
    return NULL;
}

/* For the reason that it is wrong, not because it could not be judged. */
static bool is_below_mark(const struct report *report) {
    return !report->passed && grade_exit_status(report) == STATUS_BELOW_MARK &&
           !report->build_message;
}

static bool falls_as_meant(const struct report *report, const struct exercise_mutant *mutant) {
    return report->verdict == mutant->verdict && report->score < report->max_score &&
           (!mutant->has_hazard || has_hazard(report, mutant->hazard));
}

static bool is_proved(const struct report *report, enum expectation expectation,
                      const struct exercise_mutant *mutant) {
    switch (expectation) {
    case EXPECT_FULL:
        return report->passed && report->verdict == VERDICT_PASS &&
               report->score >= report->max_score;
    case EXPECT_FAIL:
        return is_below_mark(report);
    case EXPECT_UNTOUCHED:
        return is_below_mark(report) && falls_as_meant(report, mutant);
    case EXPECT_MUTANT:
        return falls_as_meant(report, mutant) && !find_warning(report) &&
               !(report->passed && is_wrong(mutant->verdict));
    }
    return false;
}

/* One thing to prove, and what came of it. The threads that take them write nothing else. */
struct task {
    const struct exercise *exercise; /* as the submission is graded */
    char *subject;
    enum expectation expectation;
    const struct exercise_mutant *mutant;
    const char *file;  /* whose text is read when it is this task's turn ... */
    char *text;        /* ... unless it is here */
    bool is_reference; /* and no submission */
    bool is_cut;       /* proved without the rest of the grade */
    struct validate_row row;
    struct text problem; /* of the reference */
    enum status status;
    struct error error;
};

struct work {
    struct grade_session *session;
    const struct exercise *exercise;
    bool brief;
    const struct plan *plan;
    struct oracle_kernel reference;
    struct exercise as_tuned;
    struct task *tasks;
    size_t count, capacity;
    pthread_mutex_t mutex;
    size_t next, finished;
    bool failed; /* the tasks that no thread has taken are left */
    grade_progress *progress;
    void *progress_context;
};

static struct task *add_task(struct work *work, const char *subject, enum expectation expectation) {
    struct task *task = mem_push(&work->tasks, &work->count, &work->capacity);
    task->exercise = work->exercise;
    task->subject = mem_strdup(subject);
    task->expectation = expectation;
    return task;
}

/* A row that is proved by what the cases gave, with all points for speed, is also proved by a whole
 * report, unless what is left out finds something worse. */
static bool is_proved_already(void *context, const struct report *best) {
    struct task *task = context;
    task->is_cut =
        task->expectation != EXPECT_FULL && is_proved(best, task->expectation, task->mutant);
    return task->is_cut;
}

/* Hazards that only the build with -G shows decide about what must have none, what must have one,
 * and what must only fail. That right and slow mutants have none is a matter of the whole proof. */
static bool may_be_hidden(const struct task *task) {
    bool is_named = task->expectation == EXPECT_MUTANT || task->expectation == EXPECT_UNTOUCHED;
    return !is_named || task->mutant->verdict == VERDICT_HAZARD;
}

/* A mutant that passes has no case against it: which one would do? */
static enum status suggest_case(struct work *work, const struct task *task,
                                const struct grade_source *source, char **found,
                                struct error *error) {
    struct candidates *candidates;
    cleanup_free char *which = NULL, *before = *found;
    enum status status = candidates_open(work->session, work->exercise, &candidates, error);
    if (status != STATUS_OK)
        return status;
    status = candidates_find(candidates, work->session, task->exercise, source, &which, error);
    candidates_free(candidates);
    *found = which ? mem_printf("%s; a case that would catch it: %s", before, which)
                   : mem_printf("%s; no other size or data that was tried catches it", before);
    return status;
}

static enum status prove_submission(struct work *work, struct task *task) {
    cleanup_free char *read = NULL;
    struct grade_source source = {.file = task->file, .text = task->text};
    enum status status = STATUS_OK;
    if (task->text)
        source.length = strlen(task->text);
    else
        status = file_read(task->file, SOURCE_MAX, &read, &source.length, &task->error);
    if (status != STATUS_OK)
        return status;
    if (read)
        source.text = read;
    struct report *report;
    status = work->brief
                 ? grade_until_enough(work->session, task->exercise, &source, is_proved_already,
                                      task, may_be_hidden(task), &report, &task->error)
                 : grade_submission(work->session, task->exercise, &source, &report, &task->error);
    if (status != STATUS_OK)
        return status;
    task->row = (struct validate_row){
        .expected = describe_expected(task->expectation, task->mutant),
        .found = describe_found(report, task->expectation == EXPECT_MUTANT, task->is_cut),
        .proved = is_proved(report, task->expectation, task->mutant),
        .is_mutant = task->expectation == EXPECT_MUTANT,
    };
    char *slow = task->expectation == EXPECT_FULL ? find_slow_reference(report) : NULL;
    if (slow) {
        free(task->row.found);
        task->row.found = slow;
        task->row.proved = false;
    }
    if (task->expectation == EXPECT_MUTANT && report->passed && report->verdict == VERDICT_PASS)
        status = suggest_case(work, task, &source, &task->row.found, &task->error);
    report_free(report);
    return status;
}

static void add_stubs(struct work *work) {
    static const char *const names[] = {"no-op", "zero", "copy"};
    static const char *const files[] = {"no-op.cu", "zero.cu", "copy.cu"};
    for (unsigned stub = STUB_NOOP; stub <= STUB_COPY; stub++) {
        char *text = validate_stub_source(work->exercise, (enum validate_stub)stub);
        if (!text)
            continue;
        struct task *task = add_task(work, names[stub], EXPECT_FAIL);
        task->file = files[stub];
        task->text = text;
    }
}

/* In the order of the rows. The tuned kernel may have a launch of its own: it is graded as if the
 * exercise had it. */
static void add_submissions(struct work *work) {
    const struct exercise *exercise = work->exercise;
    struct task *tuned = add_task(work, "tuned", EXPECT_FULL);
    work->as_tuned = *exercise;
    work->as_tuned.launch = exercise->tuned.launch;
    work->as_tuned.kernel = exercise->tuned.kernel;
    tuned->exercise = &work->as_tuned;
    tuned->file = exercise->tuned.file;
    struct task *skeleton =
        add_task(work, "skeleton", exercise->has_untouched ? EXPECT_UNTOUCHED : EXPECT_FAIL);
    skeleton->mutant = &exercise->untouched;
    skeleton->file = exercise->skeleton;
    add_stubs(work);
    for (size_t i = 0; i < exercise->mutant_count; i++) {
        cleanup_free char *subject = mem_printf("mutant %s", exercise->mutants[i].name);
        struct task *mutant = add_task(work, subject, EXPECT_MUTANT);
        mutant->mutant = &exercise->mutants[i];
        mutant->file = exercise->mutants[i].file;
    }
}

/* ---- what needs no grading --------------------------------------------------------------- */

/* `warpgrade grade` reads there which exercise a file belongs to. */
static enum status validate_comment(const struct exercise *exercise, struct validate_result *result,
                                    struct error *error) {
    cleanup_free char *text = NULL;
    size_t length;
    enum status status = file_read(exercise->skeleton, SOURCE_MAX, &text, &length, error);
    if (status != STATUS_OK)
        return status;
    cleanup_free char *id = exercise_id_from_source(text, length);
    bool same = id && strcmp(id, exercise->id) == 0;
    add_row(result, exercise, "first comment", mem_printf("// warpgrade: %s", exercise->id),
            !id    ? mem_strdup("the skeleton names no exercise")
            : same ? mem_strdup("so in the skeleton")
                   : mem_printf("the skeleton names %s", id),
            same);
    return STATUS_OK;
}

static void validate_count(const struct exercise *exercise, struct validate_result *result) {
    add_row(result, exercise, "mutants", mem_printf("at least %d", FEWEST_MUTANTS),
            mem_printf("%zu of them", exercise->mutant_count),
            exercise->mutant_count >= FEWEST_MUTANTS);
}

/* ---- speed -------------------------------------------------------------------------------- */

/* Points for speed mean something only where a right and slow kernel does not get them. */
static void validate_speed(const struct exercise *exercise, struct validate_result *result) {
    size_t slow = 0;
    if (exercise->points[GROUP_SPEED] <= 0)
        return;
    for (size_t i = 0; i < exercise->mutant_count; i++)
        slow += exercise->mutants[i].verdict == VERDICT_TOO_SLOW;
    add_row(result, exercise, "speed", mem_strdup("a mutant that is right and too slow"),
            slow ? mem_printf("%zu of them", slow) : mem_strdup("none"), slow != 0);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void *work_thread(void *argument) {
    struct work *work = argument;
    for (;;) {
        pthread_mutex_lock(&work->mutex);
        struct task *task =
            work->failed || work->next == work->count ? NULL : &work->tasks[work->next++];
        pthread_mutex_unlock(&work->mutex);
        if (!task)
            return NULL;
        task->status = task->is_reference
                           ? validate_reference(work->session->oracle, &work->reference, work->plan,
                                                &task->problem, &task->error)
                           : prove_submission(work, task);
        pthread_mutex_lock(&work->mutex);
        work->failed |= task->status != STATUS_OK;
        work->finished++;
        if (work->progress)
            work->progress(work->progress_context, work->finished, work->count);
        pthread_mutex_unlock(&work->mutex);
    }
}

/* Submissions side by side, each case after case: a submission alone would leave processors idle
 * while it is compiled, and at its end. */
static void work_off(struct work *work, unsigned jobs) {
    pthread_t threads[GRADE_MAX_JOBS];
    unsigned started = 0;
    pthread_mutex_init(&work->mutex, NULL);
    while (started + 1 < jobs && pthread_create(&threads[started], NULL, work_thread, work) == 0)
        started++;
    work_thread(work);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&work->mutex);
}

/* The first error in the order of the tasks; no one waits for those after it. */
static enum status find_error(const struct work *work, struct error *error) {
    for (size_t i = 0; i < work->count; i++)
        if (work->tasks[i].status != STATUS_OK) {
            if (error)
                *error = work->tasks[i].error;
            return work->tasks[i].status;
        }
    return STATUS_OK;
}

static void add_reference_row(const struct work *work, const struct task *task,
                              struct validate_result *result) {
    bool clean = task->problem.length == 0;
    add_row(result, work->exercise, "reference", mem_strdup("clean, the same on any schedule"),
            clean ? mem_printf("clean on %zu cases", work->plan->case_count)
                  : mem_strdup(text_string(&task->problem)),
            clean);
}

static void add_rows(struct work *work, struct validate_result *result) {
    bool counted = false;
    for (size_t i = 0; i < work->count; i++) {
        struct task *task = &work->tasks[i];
        if (task->is_reference) {
            add_reference_row(work, task, result);
            continue;
        }
        if (!counted && task->expectation == EXPECT_MUTANT) {
            validate_speed(work->exercise, result);
            validate_count(work->exercise, result);
            counted = true;
        }
        add_row(result, work->exercise, task->subject, task->row.expected, task->row.found,
                task->row.proved);
        result->rows[result->count - 1].is_mutant = task->row.is_mutant;
        task->row = (struct validate_row){0};
    }
}

static void free_tasks(struct work *work) {
    for (size_t i = 0; i < work->count; i++) {
        struct task *task = &work->tasks[i];
        free(task->subject);
        free(task->text);
        free(task->row.expected);
        free(task->row.found);
        text_free(&task->problem);
    }
    free(work->tasks);
}

enum status validate_exercise(struct grade_session *session, const struct exercise *exercise,
                              bool brief, struct validate_result *result, struct error *error) {
    struct work work = {.session = session, .exercise = exercise, .brief = brief};
    struct plan *plan;
    enum status status = plan_make(exercise, session->seed, NULL, &plan, error);
    if (status != STATUS_OK)
        return status;
    work.plan = plan;
    status = oracle_compile(exercise, &work.reference, error);
    if (status == STATUS_OK) {
        add_task(&work, "reference", EXPECT_FULL)->is_reference = true;
        add_submissions(&work);
        struct grade_options given = session->options;
        session->options.jobs = 1;
        session->options.threads = 1;
        session->options.no_causes = true;
        session->options.progress = NULL; /* the submissions' cases are no news */
        work.progress = given.progress;
        work.progress_context = given.progress_context;
        work_off(&work, given.jobs);
        session->options = given;
        status = find_error(&work, error);
        if (status == STATUS_OK)
            status = validate_comment(exercise, result, error);
        if (status == STATUS_OK)
            add_rows(&work, result);
        free_tasks(&work);
        oracle_kernel_free(&work.reference);
    }
    plan_free(plan);
    return status;
}

void validate_result_free(struct validate_result *result) {
    for (size_t i = 0; i < result->count; i++) {
        free(result->rows[i].exercise);
        free(result->rows[i].subject);
        free(result->rows[i].expected);
        free(result->rows[i].found);
    }
    free(result->rows);
    *result = (struct validate_result){0};
}
