/* Grading a submission from end to end: plan, build, cases over a few threads, score, report.
 *
 * Nothing of a submission runs in this process: grade_build and grade_case talk to workers. The
 * threads here only wait for them. The report does not depend on the number of threads: cases are
 * reported in the plan's order, and which ones are given up after two that did not end is decided
 * by that order, not by which thread came first. */
#include "grader/grade.h"

#include "grader/base/clock.h"
#include "grader/base/file.h"
#include "grader/base/hash.h"
#include "grader/base/memory.h"
#include "grader/grade_private.h"
#include "grader/judge.h"
#include "grader/random.h"
#include "grader/score.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

enum {
    MAX_JOBS = 64,
    GIVE_UP_AFTER = 2, /* cases that did not end; the student need not wait for more of them */
};

/* ---- the session ----------------------------------------------------------------------------- */

bool grade_engine_from_name(const char *name, enum grade_engine *engine) {
    static const char *const names[] = {"auto", "sim", "cuda"};
    for (unsigned i = 0; i < ARRAY_LENGTH(names); i++)
        if (strcmp(name, names[i]) == 0) {
            *engine = (enum grade_engine)i;
            return true;
        }
    return false;
}

/* CPUs this process may use, which in a container is fewer than the machine has. */
static unsigned cpu_count(void) {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < 1 ? 1 : (unsigned)count;
}

enum status grade_open(const struct grade_options *options, struct grade_session **out,
                       struct error *error) {
    if (options->engine == GRADE_ENGINE_CUDA) {
        enum status status =
            error_set(error, STATUS_ENVIRONMENT, "this build of warpgrade has no cuda engine");
        error_hint(error, "--engine sim grades on the simulated GPU and needs no device.");
        return status;
    }
    uint64_t seed = options->seed;
    if (!options->has_seed) {
        enum status status = random_secret(&seed, error);
        if (status != STATUS_OK)
            return status;
    }
    struct grade_session *session = mem_zalloc(sizeof *session);
    session->options = *options;
    session->options.cases = mem_strdup(options->cases);
    if (session->options.jobs == 0)
        session->options.jobs = cpu_count();
    if (session->options.jobs > MAX_JOBS)
        session->options.jobs = MAX_JOBS;
    session->seed = seed;
    session->oracle = oracle_new();
    *out = session;
    return STATUS_OK;
}

void grade_close(struct grade_session *session) {
    if (!session)
        return;
    oracle_free(session->oracle);
    free((char *)session->options.cases);
    free(session);
}

uint64_t grade_seed(const struct grade_session *session) {
    return session->seed;
}

/* ---- the cases ------------------------------------------------------------------------------- */

/* Shared by the threads of one submission; everything but `run` and `cases` under the mutex. Each
 * thread writes only the case it took. */
struct pool {
    const struct grade_run *run;
    struct report_case *cases;
    size_t count;
    pthread_mutex_t mutex;
    size_t next;
    bool *ended;      /* case i was judged ... */
    bool *time_limit; /* ... and did not end in time */
    enum status status;
    struct error error;
};

static const char given_up[] = "not run: the kernel did not end in two cases before this one";

/* Case `index` is not worth running once enough of those before it are known not to end. What the
 * other threads still do can only add to them. */
static bool is_given_up(const struct pool *pool, size_t index) {
    unsigned count = 0;
    for (size_t i = 0; i < index; i++)
        count += pool->ended[i] && pool->time_limit[i];
    return count >= GIVE_UP_AFTER;
}

static bool pool_take(struct pool *pool, size_t *index, bool *skip) {
    pthread_mutex_lock(&pool->mutex);
    bool more = pool->status == STATUS_OK && pool->next < pool->count;
    if (more) {
        *index = pool->next++;
        *skip = is_given_up(pool, *index);
    }
    pthread_mutex_unlock(&pool->mutex);
    return more;
}

static void pool_finish(struct pool *pool, size_t index, enum status status,
                        const struct error *error) {
    pthread_mutex_lock(&pool->mutex);
    pool->ended[index] = true;
    pool->time_limit[index] = pool->cases[index].verdict == VERDICT_TIME_LIMIT;
    if (status != STATUS_OK && pool->status == STATUS_OK) {
        pool->status = status;
        pool->error = *error;
    }
    pthread_mutex_unlock(&pool->mutex);
}

static void *pool_thread(void *argument) {
    struct pool *pool = argument;
    size_t index;
    bool skip;
    while (pool_take(pool, &index, &skip)) {
        struct error error = {0};
        enum status status =
            skip ? STATUS_OK : grade_case(pool->run, index, &pool->cases[index], &error);
        pool_finish(pool, index, status, &error);
    }
    return NULL;
}

/* Takes back what was judged of a case, leaving its name, group and sizes. */
static void reset_case(struct report_case *the_case) {
    free(the_case->message);
    free(the_case->hint);
    free(the_case->difference.output);
    free(the_case->difference.index);
    free(the_case->tolerance);
    free(the_case->hazards);
    free(the_case->printed);
    *the_case = (struct report_case){.name = the_case->name,
                                     .group = the_case->group,
                                     .sizes = the_case->sizes,
                                     .size_count = the_case->size_count};
}

/* The same cases are given up whatever the threads did: those after the second that did not end. */
static void settle_given_up(const struct grade_run *run, struct report_case *cases, size_t count) {
    unsigned time_limited = 0;
    for (size_t i = 0; i < count; i++) {
        if (time_limited >= GIVE_UP_AFTER) {
            reset_case(&cases[i]);
            judge_unlaunched(run->exercise, run->session->options.language, VERDICT_SKIPPED,
                             given_up, false, &cases[i]);
        }
        time_limited += cases[i].verdict == VERDICT_TIME_LIMIT;
    }
}

static enum status run_cases(struct grade_run *run, struct report_case *cases, size_t count,
                             struct error *error) {
    size_t jobs = run->session->options.jobs < count ? run->session->options.jobs : count;
    run->threads = jobs > 1 ? 1 : 0;
    struct pool pool = {.run = run, .cases = cases, .count = count};
    pool.ended = mem_calloc(count, sizeof *pool.ended);
    pool.time_limit = mem_calloc(count, sizeof *pool.time_limit);
    pthread_mutex_init(&pool.mutex, NULL);
    pthread_t threads[MAX_JOBS];
    size_t started = 0;
    while (started + 1 < jobs && pthread_create(&threads[started], NULL, pool_thread, &pool) == 0)
        started++;
    pool_thread(&pool); /* this thread works too, and alone where no other can be made */
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&pool.mutex);
    free(pool.ended);
    free(pool.time_limit);
    if (pool.status != STATUS_OK) {
        if (error)
            *error = pool.error;
        return pool.status;
    }
    settle_given_up(run, cases, count);
    return STATUS_OK;
}

/* ---- the report ------------------------------------------------------------------------------ */

static char *describe_environment(void) {
    struct utsname system;
    if (uname(&system) != 0)
        return mem_strdup("unknown");
    unsigned cpus = cpu_count();
    return mem_printf("%s %s %s, %u CPU%s", system.sysname, system.release, system.machine, cpus,
                      cpus == 1 ? "" : "s");
}

static struct report *start_report(const struct grade_session *session,
                                   const struct exercise *exercise,
                                   const struct grade_source *source) {
    static const char *const languages[LANGUAGE_COUNT] = {"en", "zh"};
    enum language language = session->options.language;
    struct report *report = mem_zalloc(sizeof *report);
    const char *title =
        exercise->title[language] ? exercise->title[language] : exercise->title[LANGUAGE_EN];
    report->exercise = mem_strdup(exercise->id);
    report->title = mem_strdup(title);
    report->language = mem_strdup(languages[language]);
    report->file = mem_strdup(source->file);
    if (source->length <= GRADE_MAX_SOURCE_BYTES) {
        report->source = mem_zalloc(source->length + 1);
        memcpy(report->source, source->text, source->length);
        report->source_length = source->length;
    }
    struct sha256 hash = hash_bytes(source->text, source->length);
    hash_hex(&hash, report->sha256);
    report->engine = mem_strdup("sim");
    report->seed = session->seed;
    report->environment = describe_environment();
    return report;
}

static void add_cases(struct report *report, const struct plan *plan) {
    report->case_count = plan->case_count;
    report->cases = mem_calloc(plan->case_count, sizeof *report->cases);
    for (size_t i = 0; i < plan->case_count; i++) {
        const struct plan_case *planned = &plan->cases[i];
        struct report_case *the_case = &report->cases[i];
        the_case->name = mem_strdup(planned->name);
        the_case->group = mem_strdup(case_group_names[planned->group]);
        the_case->size_count = planned->size_count;
        the_case->sizes = mem_calloc(planned->size_count + 1, sizeof *the_case->sizes);
        for (size_t j = 0; j < planned->size_count; j++)
            the_case->sizes[j] =
                (struct report_size){mem_strdup(planned->sizes[j].name), planned->sizes[j].value};
    }
}

static void add_build(struct report *report, const struct exercise *exercise,
                      enum language language, const struct grade_kernel *kernel) {
    const struct build_result *build = &kernel->build;
    report->compiler = mem_strdup(build->compiler);
    report->diagnostic_count = build->diagnostic_count;
    report->diagnostics = mem_calloc(build->diagnostic_count + 1, sizeof *report->diagnostics);
    for (size_t i = 0; i < build->diagnostic_count; i++)
        report->diagnostics[i] = build->diagnostics[i];
    report->constants = mem_calloc(kernel->constant_count + 1, sizeof *report->constants);
    for (size_t i = 0; i < kernel->constant_count; i++)
        report->constants[report->constant_count++] =
            (struct report_size){mem_strdup(kernel->constants[i].name), kernel->constants[i].value};
    if (!kernel->message)
        return;
    report->build_message = mem_strdup(kernel->message);
    report->build_hint = mem_strdup(kernel->hint);
    for (size_t i = 0; i < report->case_count; i++)
        judge_unlaunched(exercise, language, VERDICT_COMPILE_ERROR, kernel->message, false,
                         &report->cases[i]);
}

static enum status grade_planned(struct grade_session *session, const struct exercise *exercise,
                                 const struct plan *plan, const struct grade_source *source,
                                 struct report *report, struct error *error) {
    struct grade_kernel kernel;
    enum status status = grade_build(exercise, source, &kernel, error);
    if (status != STATUS_OK)
        return status;
    add_cases(report, plan);
    add_build(report, exercise, session->options.language, &kernel);
    if (!kernel.message) {
        struct oracle_kernel reference;
        status = oracle_compile(exercise, &reference, error);
        if (status == STATUS_OK) {
            struct grade_run run = {.session = session,
                                    .exercise = exercise,
                                    .plan = plan,
                                    .kernel = &kernel,
                                    .reference = &reference,
                                    .file_name = file_base_name(source->file)};
            status = run_cases(&run, report->cases, report->case_count, error);
            oracle_kernel_free(&reference);
        }
    }
    grade_kernel_free(&kernel);
    return status;
}

enum status grade_submission(struct grade_session *session, const struct exercise *exercise,
                             const struct grade_source *source, struct report **out,
                             struct error *error) {
    double start = clock_ms();
    *out = NULL;
    struct plan *plan;
    enum status status = plan_make(exercise, session->seed, session->options.cases, &plan, error);
    if (status != STATUS_OK)
        return status;
    struct report *report = start_report(session, exercise, source);
    status = grade_planned(session, exercise, plan, source, report, error);
    if (status == STATUS_OK) {
        score_report(exercise, plan->group_totals, report);
        report->wall_ms = clock_ms() - start;
        *out = report;
    } else {
        report_free(report);
    }
    plan_free(plan);
    return status;
}

enum status grade_exit_status(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++)
        if (report->cases[i].verdict == VERDICT_INTERNAL_ERROR ||
            judge_is_undecided(&report->cases[i]))
            return STATUS_ENVIRONMENT;
    return report->passed ? STATUS_OK : STATUS_BELOW_MARK;
}
