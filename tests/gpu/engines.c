/* Both engines on the same submissions: every exercise's tuned kernel, skeleton and mutants are
 * graded on the simulated GPU and on a card with the same seed, and the verdicts of every case
 * compared.
 *
 * A card sees less: excepted is what the table below names, with the reason; what happens instead
 * is the hardware's choice and is counted, not compared. In one thing it sees more: a block whose
 * threads need more registers than there are. The tuned kernel, which is right, has no exception:
 * it passes on both. Neither has a wrong answer without a hazard, but for mutants that are wrong in
 * some orders of the threads.
 * References participate as what both engines compare with, each its own run of them. Of the cases
 * of an exercise's submissions that one row excepts the card runs the first few: many of them end a
 * context, and the next costs a card a quarter of a second.
 *
 * Usage: gpu_engines [--jobs N] [--seconds N] [--kind kernel|host] [EXERCISE ...]. After this many
 * seconds no submission is begun any more, and what is left is a failure. 77, with the reason,
 * where there is no card. */
#include "grader/exercise/exercise.h"
#include "grader/grade/grade_private.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/cuda/session.h"
#include "sandbox/isolation/jail.h"
#include "sandbox/program/worker_main.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE_MAX = 1 << 20, THREADS_MAX = 32, WORKERS = 10, EXCEPTED_RUN = 2 };

/* Of a submission with host code the card runs this many cases that pass and as many that do not:
 * each takes a process and a context of its own, a second of a busy card. */
enum { HOST_RUN = 1 };

/* A kernel that hangs keeps the card from others until its limit. Where the simulated GPU has seen
 * that it may, the limit is short; where a limit alone makes a difference, a patient one decides:
 * after a fault a card's context is made anew, and others may be at that, too. */
#define CARD_SECONDS    1
#define SHORT_SECONDS   0.25
#define PATIENT_SECONDS 5
#define HOST_SECONDS    10

/* What the simulated GPU reports and a card need not: whatever the case then ends with is right.
 * With `words`, only where they are in the hazard's message. */
static const struct {
    enum hazard_kind kind;
    const char *words, *reason;
} unseen[] = {
    {HAZARD_SHARED_RACE, NULL, "the card runs one order of the threads and looks for no races"},
    {HAZARD_GLOBAL_RACE, NULL, "likewise, between blocks"},
    {HAZARD_BARRIER_DIVERGENCE, NULL, "a barrier completes when the remaining threads have come"},
    {HAZARD_WARP_MASK_MISMATCH, NULL, "a lane outside of the mask gives something, not an error"},
    {HAZARD_DEADLOCK, NULL, "the card waits until the clock's limit, or the barrier completes"},
    {HAZARD_BLOCK_ORDER, NULL, "a card of today starts blocks by their index"},
    {HAZARD_UNINITIALIZED_READ, NULL, "memory holds something, at times the right thing"},
    {HAZARD_OUT_OF_BOUNDS, NULL,
     "within the pages of the launch, and within a block's shared memory, only writes near a "
     "buffer are seen"},
    {HAZARD_STACK_OVERFLOW, NULL, "the card sees an illegal address"},
    {HAZARD_TRAP, NULL, "an assert() is seen as one, a trap as a failed launch"},
    {HAZARD_INSTRUCTION_BUDGET, NULL, "a card does in time what is far more than the reference's"},
    {HAZARD_MISALIGNED, "matrix tile", "the card looks at each access, not at a tile's rule"},
    {HAZARD_STREAM_RACE, NULL, "a card does not say what its kernels touch"},
    {HAZARD_HOST_RACE, NULL, "likewise; and a copy may have ended in time"},
    {HAZARD_INVALID_LAUNCH, "constant memory", "the loader does not say where a variable stands"},
};

struct task {
    struct exercise *exercise;
    size_t *excepted_run; /* by row of `unseen`, of all tasks of this exercise */
    char *subject, *file;
    struct report *sim, *cuda;
    bool *left_out; /* by case of sim: the card does not run it */
    double sim_ms, cuda_ms;
    bool is_mutant, is_right;
    bool without_generated; /* the card runs none of the generated cases */
    enum status status;
    struct error error;
};

static struct {
    pthread_mutex_t mutex;
    struct task *tasks;
    size_t count, capacity, next;
    const char *kind; /* "kernel", "host": of host code; NULL: both */
    double until_ms;
    struct grade_session *sim, *cuda;
} work = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* ---- what is graded -------------------------------------------------------------------------- */

static struct task *add_task(struct exercise *exercise, char *subject, const char *file) {
    struct task *task = mem_push(&work.tasks, &work.count, &work.capacity);
    *task = (struct task){.exercise = exercise, .subject = subject, .file = mem_strdup(file)};
    return task;
}

/* Without the speed case, which has tests of its own. */
static void add_exercise(struct exercise *exercise) {
    bool is_kernel = exercise->kind == EXERCISE_KERNEL;
    if (work.kind && is_kernel != (strcmp(work.kind, "kernel") == 0))
        return;
    size_t first = work.count, *excepted_run = mem_calloc(ARRAY_LENGTH(unseen), sizeof(size_t));
    exercise->threshold_count = 0;
    if (exercise->kind != EXERCISE_KERNEL)
        exercise->generated_count = 0; /* they cannot be left out singly */
    struct exercise *as_tuned = mem_dup(exercise, sizeof *exercise);
    if (exercise->kind == EXERCISE_KERNEL) {
        as_tuned->launch = exercise->tuned.launch;
        as_tuned->kernel = exercise->tuned.kernel;
    }
    add_task(as_tuned, mem_printf("%s tuned", exercise->id), exercise->tuned.file)->is_right = true;
    add_task(exercise, mem_printf("%s skeleton", exercise->id), exercise->skeleton);
    for (size_t i = 0; i < exercise->mutant_count; i++)
        add_task(exercise, mem_printf("%s %s", exercise->id, exercise->mutants[i].name),
                 exercise->mutants[i].file)
            ->is_mutant = true;
    for (size_t i = first; i < work.count; i++)
        work.tasks[i].excepted_run = excepted_run;
}

static bool add_all(char **ids, size_t count) {
    struct error error;
    for (size_t i = 0; i < count; i++) {
        struct exercise *exercise;
        if (exercise_find(ids[i], &exercise, &error) != STATUS_OK) {
            printf("%s\n", error.message);
            return false;
        }
        add_exercise(exercise);
    }
    return true;
}

static bool has(const struct report_case *the_case, enum hazard_kind kind, const char *words) {
    for (size_t i = 0; i < the_case->hazard_count; i++)
        if (the_case->hazards[i].kind == kind &&
            (!words || strstr(the_case->hazards[i].message, words)))
            return true;
    return false;
}

/* The row of `unseen` that covers the case; -1: it has to agree. */
static int excepted(const struct report_case *the_case) {
    for (size_t i = 0; i < ARRAY_LENGTH(unseen); i++)
        if (has(the_case, unseen[i].kind, unseen[i].words))
            return (int)i;
    return -1;
}

static bool hangs_somewhere(const struct task *task) {
    bool hangs = false;
    for (size_t i = 0; i < task->sim->case_count; i++) {
        const struct report_case *sim = &task->sim->cases[i];
        hangs |= sim->verdict == VERDICT_TIME_LIMIT || has(sim, HAZARD_DEADLOCK, NULL) ||
                 has(sim, HAZARD_BARRIER_DIVERGENCE, NULL) ||
                 has(sim, HAZARD_INSTRUCTION_BUDGET, NULL);
    }
    return hangs;
}

static void leave_out_of_host(struct task *task) {
    size_t passing = 0, failing = 0;
    for (size_t i = 0; i < task->sim->case_count; i++)
        task->left_out[i] =
            (task->sim->cases[i].verdict == VERDICT_PASS ? passing++ : failing++) >= HOST_RUN;
}

/* Generated cases cannot be left out singly: all of them are where a row covers each, and the card
 * has run enough of these rows. Under the mutex. */
static void leave_out_generated(struct task *task) {
    size_t first = task->exercise->case_count, last = task->sim->case_count;
    bool all = first < last;
    for (size_t i = first; i < last && all; i++) {
        int row = excepted(&task->sim->cases[i]);
        all = row >= 0 && task->excepted_run[row] >= EXCEPTED_RUN;
    }
    for (size_t i = first; i < last; i++)
        task->left_out[i] = all;
    task->without_generated = all;
}

static void leave_out(struct task *task) {
    task->left_out = mem_calloc(task->sim->case_count + 1, sizeof *task->left_out);
    if (task->exercise->kind != EXERCISE_KERNEL) {
        leave_out_of_host(task);
        return;
    }
    pthread_mutex_lock(&work.mutex);
    for (size_t i = 0; i < task->sim->case_count && i < task->exercise->case_count; i++) {
        int row = excepted(&task->sim->cases[i]);
        if (row >= 0)
            task->left_out[i] = task->excepted_run[row]++ >= EXCEPTED_RUN;
    }
    leave_out_generated(task);
    pthread_mutex_unlock(&work.mutex);
}

static size_t card_case_count(const struct task *task) {
    return task->cuda ? task->cuda->case_count : 0;
}

/* Those that the card ran, as both engines report them, in their order; false after the last. */
static bool next_pair(const struct task *task, size_t *sim, size_t *cuda) {
    while (*sim < task->sim->case_count && task->left_out[*sim])
        ++*sim;
    return *sim < task->sim->case_count && *cuda < card_case_count(task);
}

/* Its own mistake, of which another case is the proof: a lock that is wrong here may hang here,
 * too. */
static bool hangs_as_elsewhere(const struct task *task, const struct report_case *sim,
                               const struct report_case *cuda) {
    return cuda->verdict == VERDICT_TIME_LIMIT && sim->verdict != VERDICT_PASS &&
           hangs_somewhere(task);
}

/* The limit ended a case that has to agree with the simulated GPU, where it did not end so. */
static bool limit_decided(const struct task *task) {
    for (size_t i = 0, j = 0; next_pair(task, &i, &j); i++, j++)
        if (task->cuda->cases[j].verdict == VERDICT_TIME_LIMIT &&
            task->sim->cases[i].verdict != VERDICT_TIME_LIMIT &&
            !hangs_as_elsewhere(task, &task->sim->cases[i], &task->cuda->cases[j]) &&
            excepted(&task->sim->cases[i]) < 0)
            return true;
    return false;
}

static enum status grade_on_card(struct task *task, const struct grade_source *source,
                                 double seconds) {
    struct exercise limited = *task->exercise;
    cleanup_free struct exercise_case *cases =
        mem_calloc(limited.case_count + 1, sizeof *cases); /* borrowed */
    limited.time_limit_seconds = seconds;
    if (task->without_generated)
        limited.generated_count = 0;
    limited.case_count = 0;
    for (size_t i = 0; i < task->exercise->case_count; i++)
        if (i >= task->sim->case_count || !task->left_out[i])
            cases[limited.case_count++] = task->exercise->cases[i];
    limited.cases = cases;
    report_free(task->cuda);
    task->cuda = NULL;
    if (!limited.case_count && !limited.generated_count)
        return STATUS_OK; /* rows except all of them, and were run often enough */
    return grade_submission(work.cuda, &limited, source, &task->cuda, &task->error);
}

static void grade(struct task *task) {
    cleanup_free char *text = NULL;
    struct grade_source source = {.file = task->file};
    task->status = file_read(task->file, SOURCE_MAX, &text, &source.length, &task->error);
    source.text = text;
    double start = clock_ms();
    if (task->status == STATUS_OK)
        task->status =
            grade_submission(work.sim, task->exercise, &source, &task->sim, &task->error);
    task->sim_ms = clock_ms() - start;
    bool may_hang = task->status == STATUS_OK && hangs_somewhere(task);
    if (task->status == STATUS_OK)
        leave_out(task);
    bool is_host = task->exercise->kind != EXERCISE_KERNEL;
    if (task->status == STATUS_OK)
        task->status = grade_on_card(task, &source,
                                     is_host    ? HOST_SECONDS
                                     : may_hang ? SHORT_SECONDS
                                                : CARD_SECONDS);
    if (task->status == STATUS_OK && limit_decided(task))
        task->status = grade_on_card(task, &source, PATIENT_SECONDS);
    task->cuda_ms = clock_ms() - start - task->sim_ms;
}

static void *work_thread(void *argument) {
    for (;;) {
        pthread_mutex_lock(&work.mutex);
        bool more = work.next < work.count && clock_ms() < work.until_ms;
        struct task *task = more ? &work.tasks[work.next++] : NULL;
        pthread_mutex_unlock(&work.mutex);
        if (!task)
            return argument;
        grade(task);
    }
}

/* ---- what is compared ------------------------------------------------------------------------ */

/* How many registers a thread gets is the assembler's choice, which the simulated GPU asks for in
 * the speed case only. */
static bool is_too_large(const struct report_case *sim, const struct report_case *cuda) {
    return sim->hazard_count == 0 && has(cuda, HAZARD_INVALID_LAUNCH, "OUT_OF_RESOURCES");
}

/* A mutant that is right in one order and wrong in another, as the simulated GPU found: the card's
 * own order may be a wrong one or, at times, a right one, as scan's no-wait once ran. */
static bool depends_on_order(const struct task *task, const struct report_case *sim,
                             const struct report_case *cuda) {
    return task->is_mutant && sim->verdict == VERDICT_NONDETERMINISTIC &&
           (cuda->verdict == VERDICT_WRONG_ANSWER || cuda->verdict == VERDICT_PASS);
}

/* A mutant that other cases find wrong, and whose result here is a matter of who comes first: the
 * simulated GPU tries two orders, the card has its own. */
static bool is_a_matter_of_order(const struct task *task, const struct report_case *sim,
                                 const struct report_case *cuda) {
    return task->is_mutant && task->sim->verdict != VERDICT_PASS && sim->verdict == VERDICT_PASS &&
           (cuda->verdict == VERDICT_WRONG_ANSWER || cuda->verdict == VERDICT_NONDETERMINISTIC);
}

/* What a mutant's host has computed and a kernel put together: only the simulated GPU counts what
 * kernels read. */
static bool is_told_by_counters(const struct task *task, const struct report_case *sim) {
    return task->is_mutant && sim->verdict == VERDICT_WRONG_ANSWER && sim->message &&
           strstr(sim->message, "too few to read half of the inputs");
}

struct tally {
    size_t too_large, hanging, counted, ordered, wrong_order, left_out, same, skipped, differing,
        excepted[ARRAY_LENGTH(unseen)], agreeing[ARRAY_LENGTH(unseen)];
};

/* A case that one engine gave up after two others that did not end says nothing. */
static bool was_given_up(const struct report_case *the_case) {
    return the_case->verdict == VERDICT_SKIPPED;
}

static void count_differing(const struct task *task, const struct report_case *sim,
                            const struct report_case *cuda, struct tally *tally) {
    tally->differing++;
    printf("DIFFERS %s, case %s: %s simulated (%s), %s on the card (%s)\n", task->subject,
           sim->name, verdict_infos[sim->verdict].name, sim->message ? sim->message : "",
           verdict_infos[cuda->verdict].name, cuda->message ? cuda->message : "");
}

/* No exception: what is right passes on both, and a mistake of ours is no choice of the hardware's.
 */
static bool is_without_excuse(const struct task *task, const struct report_case *sim,
                              const struct report_case *cuda) {
    bool pass = sim->verdict == VERDICT_PASS && cuda->verdict == VERDICT_PASS;
    return (task->is_right && !pass) || cuda->verdict == VERDICT_INTERNAL_ERROR;
}

static void compare_case(const struct task *task, const struct report_case *sim,
                         const struct report_case *cuda, struct tally *tally) {
    bool same = sim->verdict == cuda->verdict;
    int row = excepted(sim);
    if (is_without_excuse(task, sim, cuda)) {
        count_differing(task, sim, cuda, tally);
    } else if (was_given_up(sim) || was_given_up(cuda)) {
        tally->skipped++;
    } else if (row >= 0) {
        tally->excepted[row]++;
        tally->agreeing[row] += same;
    } else if (is_a_matter_of_order(task, sim, cuda)) {
        tally->ordered++;
        printf("excepted: %s, case %s: pass simulated, %s on the card\n", task->subject, sim->name,
               verdict_infos[cuda->verdict].name);
    } else if (depends_on_order(task, sim, cuda)) {
        tally->wrong_order++;
    } else if (hangs_as_elsewhere(task, sim, cuda)) {
        tally->hanging++;
    } else if (is_told_by_counters(task, sim)) {
        tally->counted++;
    } else if (is_too_large(sim, cuda)) {
        tally->too_large++;
    } else if (same) {
        tally->same++;
    } else {
        count_differing(task, sim, cuda, tally);
    }
}

/* False where one could not be graded. */
static bool compare(const struct task *task, struct tally *tally) {
    if (task->status != STATUS_OK) {
        printf("FAILED %s: %s\n", task->subject, task->error.message);
        return false;
    }
    size_t sim = 0, cuda = 0, named = 0;
    for (; next_pair(task, &sim, &cuda); sim++, cuda++) {
        const struct report_case *ours = &task->sim->cases[sim], *its = &task->cuda->cases[cuda];
        named += strcmp(ours->name, its->name) == 0;
        compare_case(task, ours, its, tally);
    }
    for (size_t i = 0; i < task->sim->case_count; i++)
        tally->left_out += task->left_out[i];
    bool same_cases = sim == task->sim->case_count && cuda == card_case_count(task);
    if (!same_cases || named != cuda)
        printf("FAILED %s: the engines report different cases\n", task->subject);
    return same_cases && named == cuda;
}

static int conclude(double started_ms) {
    struct tally tally = {0};
    size_t failed = 0;
    double sim_ms = 0, cuda_ms = 0;
    for (size_t i = 0; i < work.next; i++) {
        failed += !compare(&work.tasks[i], &tally);
        sim_ms += work.tasks[i].sim_ms;
        cuda_ms += work.tasks[i].cuda_ms;
    }
    printf("waited for: %.1f s for the simulated GPU, %.1f s for the card, by all threads\n",
           sim_ms / 1e3, cuda_ms / 1e3);
    for (size_t i = 0; i < ARRAY_LENGTH(unseen); i++)
        if (tally.excepted[i])
            printf("excepted: %4zu cases with %s (%zu agree): %s\n", tally.excepted[i],
                   hazard_infos[unseen[i].kind].name, tally.agreeing[i], unseen[i].reason);
    if (tally.too_large)
        printf("excepted: %4zu cases with invalid-launch on the card alone: registers are looked "
               "at in the speed case\n",
               tally.too_large);
    if (tally.ordered)
        printf("excepted: %4zu cases of wrong kernels that some orders of the threads let pass\n",
               tally.ordered);
    if (tally.wrong_order)
        printf("excepted: %4zu cases that depend on the order of the threads: the card runs one of "
               "its own\n",
               tally.wrong_order);
    if (tally.hanging)
        printf("excepted: %4zu wrong cases that do not end on the card, of kernels that hang in "
               "other cases here\n",
               tally.hanging);
    if (tally.counted)
        printf("excepted: %4zu cases of host code whose kernels read too little, which a card does "
               "not count\n",
               tally.counted);
    printf("excepted: %4zu cases that the card did not run: of an exercise and a hazard it runs "
           "the first %d, of a submission with host code the first %d that pass and that do not\n",
           tally.left_out, EXCEPTED_RUN, HOST_RUN);
    printf("%zu submissions: %zu cases have the same verdict on both engines, %zu differ, %zu were "
           "given up, %zu submissions could not be graded; %.1f s\n",
           work.next, tally.same, tally.differing, tally.skipped, failed,
           (clock_ms() - started_ms) / 1e3);
    if (work.next < work.count)
        printf("FAILED: the time was over before the last %zu submissions\n",
               work.count - work.next);
    return tally.differing || failed || !tally.same || work.next < work.count;
}

static bool open_sessions(void) {
    struct error error = {0};
    struct grade_options options = {
        .engine = GRADE_ENGINE_SIM, .has_seed = true, .seed = 20260101, .jobs = 1};
    if (grade_open(&options, &work.sim, &error) != STATUS_OK) {
        printf("%s\n", error.message);
        return false;
    }
    options.engine = GRADE_ENGINE_CUDA;
    if (grade_open(&options, &work.cuda, &error) == STATUS_OK) {
        grade_share_workers(work.cuda, WORKERS);
        return true;
    }
    printf("%s\n", error.message);
    return false;
}

int main(int argc, char **argv) {
    int code;
    struct error error = {0};
    struct cuda_card *cards;
    size_t card_count, count = 0, jobs = 32;
    if (worker_main(argc, argv, &code))
        return code;
    double started_ms = clock_ms();
    if (cuda_cards(&cards, &card_count, &error) != STATUS_OK) {
        printf("skipped: %s\n", error.message);
        return 77;
    }
    work.until_ms = started_ms + 1e9;
    for (; argc > 2 && argv[1][0] == '-'; argc -= 2, argv += 2) {
        if (strcmp(argv[1], "--jobs") == 0)
            jobs = strtoul(argv[2], NULL, 10);
        if (strcmp(argv[1], "--kind") == 0)
            work.kind = argv[2];
        if (strcmp(argv[1], "--seconds") == 0)
            work.until_ms = started_ms + strtod(argv[2], NULL) * 1e3;
    }
    char **ids = argv + 1;
    count = (size_t)argc - 1;
    if (count == 0 && exercise_ids(&ids, &count, &error) != STATUS_OK) {
        printf("%s\n", error.message);
        return 1;
    }
    if (!open_sessions() || !add_all(ids, count))
        return 1;
    pthread_t threads[THREADS_MAX];
    size_t made = 0;
    while (made + 1 < jobs && made < THREADS_MAX &&
           pthread_create(&threads[made], NULL, work_thread, NULL) == 0)
        made++;
    work_thread(NULL);
    for (size_t i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
    code = conclude(started_ms);
    grade_close(work.cuda);
    grade_close(work.sim);
    free(cards);
    return code;
}
