/* Reference kernels and their answers; see oracle.h.
 *
 * A reference is ours, but it is checked like any other: an answer with a hazard, an element that
 * was never written, or a magnitude that cannot be one is no answer, because judging by it would
 * blame the student for the exercise's mistake.
 *
 * Kept answers are bounded by KEPT_BYTES; what comes after that is computed for each submission.
 * While one thread computes an answer, others that ask for the same one wait for it. A worker's
 * start costs more than most references, so several are launched in one (oracle_prepare); what that
 * worker did not complete is computed by itself when it is asked for. */
#include "grader/judge/oracle.h"
#include "sandbox/engine/engine.h"

#include "grader/cases/schedule.h"
#include "grader/judge/judge.h"
#include "grader/judge/signature.h"
#include "sandbox/base/file.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#define KEPT_BYTES     ((size_t)1 << 30)
#define PREFETCH_BYTES ((size_t)64 << 20) /* of data, in one worker */

enum { REFERENCE_MAX_BYTES = 1 << 20, REFERENCE_SLOWNESS = 4, REFERENCE_LEAST_SECONDS = 5 };

struct oracle_entry {
    struct sha256 key;
    bool ready;
    struct oracle_answer *answer; /* NULL once ready: computing it failed, or it was too large */
    UT_hash_handle hh;
};

struct oracle {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct oracle_entry *entries;
    size_t kept_bytes;
};

struct oracle *oracle_new(void) {
    struct oracle *oracle = mem_zalloc(sizeof *oracle);
    pthread_mutex_init(&oracle->mutex, NULL);
    pthread_cond_init(&oracle->changed, NULL);
    return oracle;
}

static void free_answer(struct oracle_answer *answer) {
    if (!answer)
        return;
    plan_launch_free(&answer->launch);
    free(answer->data);
    free(answer);
}

void oracle_free(struct oracle *oracle) {
    if (!oracle)
        return;
    struct oracle_entry *entry, *next;
    HASH_ITER(hh, oracle->entries, entry, next) {
        HASH_DEL(oracle->entries, entry);
        free_answer(entry->answer);
        free(entry);
    }
    pthread_cond_destroy(&oracle->changed);
    pthread_mutex_destroy(&oracle->mutex);
    free(oracle);
}

void oracle_release(struct oracle *oracle, const struct oracle_answer *answer) {
    if (!answer)
        return;
    struct oracle_answer *owned = (struct oracle_answer *)answer;
    pthread_mutex_lock(&oracle->mutex);
    bool last = --owned->users == 0 && !owned->kept;
    pthread_mutex_unlock(&oracle->mutex);
    if (last)
        free_answer(owned);
}

struct expr_name *oracle_constants(const struct exercise *exercise, size_t *count) {
    struct expr_name *names = mem_calloc(exercise->constant_count + 1, sizeof *names);
    for (size_t i = 0; i < exercise->constant_count; i++)
        names[i] = (struct expr_name){exercise->constants[i].name, exercise->constants[i].fallback};
    *count = exercise->constant_count;
    return names;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static enum status fail_build(const struct exercise *exercise, const struct build_result *build,
                              const char *source, size_t length, struct error *error) {
    const struct build_diagnostic *first = NULL;
    for (size_t i = 0; i < build->diagnostic_count && !first; i++)
        if (build->diagnostics[i].severity == BUILD_ERROR)
            first = &build->diagnostics[i];
    enum status status =
        error_set(error, STATUS_INVALID, "the reference kernel of %s cannot be used: %s",
                  exercise->id, first ? first->text : build->message);
    error_place(error, exercise->reference.file, first ? first->line : 0, first ? first->column : 0,
                source, length);
    return status;
}

static enum status check_build(const struct exercise *exercise, struct oracle_kernel *kernel,
                               const char *source, size_t length, struct error *error) {
    if (!kernel->build.compiled)
        return fail_build(exercise, &kernel->build, source, length, error);
    const struct build_kernel *found = &kernel->build.kernels[kernel->build.kernel_index];
    kernel->lowered = mem_strdup(found->lowered);
    kernel->ptx_hash = hash_bytes(kernel->build.ptx, kernel->build.ptx_length);
    return signature_check_reference(exercise, found, source, length, error);
}

enum status oracle_compile(const struct exercise *exercise, struct oracle_kernel *kernel,
                           struct error *error) {
    return oracle_compile_for(exercise, NULL, kernel, error);
}

enum status oracle_compile_for(const struct exercise *exercise, const char *architecture,
                               struct oracle_kernel *kernel, struct error *error) {
    *kernel = (struct oracle_kernel){0};
    cleanup_free char *source = NULL;
    size_t length;
    enum status status =
        file_read(exercise->reference.file, REFERENCE_MAX_BYTES, &source, &length, error);
    if (status != STATUS_OK)
        return status;
    struct build_request request = {.file_name = file_base_name(exercise->reference.file),
                                    .source = source,
                                    .source_length = length,
                                    .kernel = exercise->reference.kernel,
                                    .headers = exercise->headers,
                                    .header_count = exercise->header_count,
                                    .architecture = architecture};
    struct worker_limits limits = {0};
    status = build_compile(&request, &limits, &kernel->build, error);
    if (status != STATUS_OK)
        return status;
    status = check_build(exercise, kernel, source, length, error);
    if (status != STATUS_OK)
        oracle_kernel_free(kernel);
    return status;
}

void oracle_kernel_free(struct oracle_kernel *kernel) {
    build_result_free(&kernel->build);
    free(kernel->lowered);
    *kernel = (struct oracle_kernel){0};
}

/* ---- one answer ------------------------------------------------------------------------------ */

__attribute__((format(printf, 3, 4))) static void
reject(struct oracle_answer *answer, const struct plan *plan, const char *format, ...) {
    cleanup_text struct text text = {0};
    text_printf(&text, "the reference of %s ", plan->exercise->id);
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(&text, format, arguments);
    va_end(arguments);
    snprintf(answer->message, sizeof answer->message, "%s", text_string(&text));
    answer->valid = false;
}

/* |r| <= m must hold for m = sum|a_i b_i|; the slack is for the rounding of both. */
static bool magnitude_is_possible(double value, double magnitude) {
    if (!isfinite(value))
        return true;
    return isfinite(magnitude) && fabs(value) <= magnitude * (1 + 0x1p-20) + 0x1p-1000;
}

static bool holds(const struct engine_argument *argument, const void *data, uint64_t i,
                  uint64_t bits) {
    unsigned bytes = element_infos[argument->type].bytes;
    return memcmp((const char *)data + argument->data_offset + i * bytes, &bits, bytes) == 0;
}

/* In one or two bytes the poison is a value like any other: only two launches tell. */
static bool leaves_unwritten(const struct oracle_answer *answer, const void *again, size_t index,
                             uint64_t i) {
    const struct engine_argument *argument = &answer->launch.arguments[index];
    if (!holds(argument, answer->data, i, plan_poison(argument->type)))
        return false;
    return again ? holds(argument, again, i, plan_other_poison(argument->type))
                 : element_infos[argument->type].bytes >= 4;
}

char *oracle_find_unwritten(const struct plan *plan, const struct oracle_answer *answer,
                            const void *again) {
    for (size_t p = 0; p < plan->exercise->param_count; p++) {
        const struct engine_argument *argument = &answer->launch.arguments[p];
        size_t magnitude = answer->launch.magnitudes[p];
        bool is_out = plan->exercise->params[p].role == ROLE_OUT;
        for (uint64_t i = 0; i < argument->count && (is_out || magnitude != SIZE_MAX); i++) {
            bool value = is_out && leaves_unwritten(answer, again, p, i);
            if (!value && (magnitude == SIZE_MAX || !leaves_unwritten(answer, again, magnitude, i)))
                continue;
            cleanup_free char *at = judge_index_text(argument, i);
            return mem_printf("%s%s%s", value ? "" : "the magnitude of ", argument->name, at);
        }
    }
    return NULL;
}

static void check_magnitudes(const struct plan *plan, size_t index, struct oracle_answer *answer) {
    const struct engine_argument *arguments = answer->launch.arguments;
    const struct engine_argument *argument = &arguments[index];
    size_t extra = answer->launch.magnitudes[index];
    if (extra == SIZE_MAX)
        return;
    const char *data = answer->data, *values = data + argument->data_offset;
    const double *magnitudes = (const double *)(const void *)(data + arguments[extra].data_offset);
    for (uint64_t i = 0; i < argument->count; i++) {
        if (magnitude_is_possible(element_to_double(argument->type, values, i), magnitudes[i]))
            continue;
        cleanup_free char *at = judge_index_text(argument, i);
        reject(answer, plan, "leaves %s%s with a magnitude that is not sum|a*b| of it",
               argument->name, at);
        return;
    }
}

/* `again` as for oracle_find_unwritten(). */
static void check_answer(const struct plan *plan, const struct engine_result *result,
                         const void *again, struct oracle_answer *answer) {
    if (result->end != ENGINE_COMPLETED) {
        reject(answer, plan, "did not end: %s", result->message);
        return;
    }
    for (size_t i = 0; i < result->hazard_count; i++)
        if (result->hazards[i].severity == SEVERITY_ERROR) {
            reject(answer, plan, "has a hazard: %s at line %u: %s",
                   hazard_infos[result->hazards[i].kind].name, result->hazards[i].line,
                   result->hazards[i].message);
            return;
        }
    answer->valid = true;
    cleanup_free char *unwritten = oracle_find_unwritten(plan, answer, again);
    answer->is_suspect = unwritten && !again;
    if (unwritten)
        reject(answer, plan, "leaves %s unwritten", unwritten);
    for (size_t i = 0; i < plan->exercise->param_count && answer->valid; i++)
        check_magnitudes(plan, i, answer);
}

struct engine_launch oracle_launch(const struct oracle_kernel *kernel, const struct plan *plan,
                                   const struct plan_launch *planned, void *data,
                                   unsigned threads) {
    struct engine_launch launch = plan_engine_launch(planned, data);
    launch.ptx = kernel->build.ptx;
    launch.ptx_length = kernel->build.ptx_length;
    launch.kernel = kernel->lowered;
    launch.file_name = file_base_name(plan->exercise->reference.file);
    launch.threads = threads;
    return launch;
}

/* The exercise's own limits with room to spare, whatever the user asked for: a reference that does
 * not end is not the student's fault. */
static struct worker_limits reference_limits(const struct exercise *exercise) {
    return (struct worker_limits){
        .wall_seconds =
            fmax(exercise->time_limit_seconds * REFERENCE_SLOWNESS, REFERENCE_LEAST_SECONDS),
        .memory_bytes = exercise->memory_limit_bytes};
}

static void fill_answer(const struct plan *plan, size_t case_index, struct oracle_answer *answer) {
    answer->data = mem_zalloc(answer->launch.data_length + 1);
    plan_fill(plan, case_index, PLAN_REFERENCE, &answer->launch, answer->data);
}

static void take_result(const struct plan *plan, struct engine_result *result, const void *again,
                        struct oracle_answer *answer) {
    check_answer(plan, result, again, answer);
    answer->thread_instructions = result->counters.thread_instructions;
    answer->order_matters = schedule_matters(result);
    engine_result_free(result);
}

static enum status launch_reference(const struct oracle_kernel *kernel, const struct plan *plan,
                                    const struct plan_launch *planned, unsigned threads, void *data,
                                    struct engine_result *result, struct error *error) {
    struct engine_launch launch = oracle_launch(kernel, plan, planned, data, threads);
    struct worker_limits limits = reference_limits(plan->exercise);
    const struct oracle_engine *engine = kernel->engine;
    return engine ? engine->run(engine->context, &launch, &kernel->build, &limits, result, error)
                  : engine_run(&launch, &limits, result, error);
}

/* Tells an element that was left unwritten from one whose value is the poison. */
static enum status run_suspect(const struct oracle_kernel *kernel, const struct plan *plan,
                               size_t case_index, unsigned threads, struct oracle_answer *answer,
                               struct error *error) {
    cleanup_free char *again = mem_zalloc(answer->launch.data_length + 1);
    struct engine_result result;
    plan_fill(plan, case_index, PLAN_REFERENCE, &answer->launch, again);
    plan_fill_other_poison(plan, PLAN_REFERENCE, &answer->launch, again);
    enum status status =
        launch_reference(kernel, plan, &answer->launch, threads, again, &result, error);
    if (status == STATUS_OK)
        take_result(plan, &result, again, answer);
    return status;
}

static enum status run_reference(const struct oracle_kernel *kernel, const struct plan *plan,
                                 size_t case_index, unsigned threads, struct oracle_answer *answer,
                                 struct error *error) {
    struct engine_result result;
    enum status status =
        launch_reference(kernel, plan, &answer->launch, threads, answer->data, &result, error);
    if (status != STATUS_OK)
        return status;
    take_result(plan, &result, NULL, answer);
    return answer->is_suspect ? run_suspect(kernel, plan, case_index, threads, answer, error)
                              : STATUS_OK;
}

/* ---- the store ------------------------------------------------------------------------------- */

/* The data is not hashed but what it is made of: plan_fill is a pure function of these. */
static struct sha256 answer_key(const struct oracle_kernel *kernel, const struct plan *plan,
                                size_t case_index, const struct plan_launch *launch) {
    const struct exercise *exercise = plan->exercise;
    const struct plan_case *the_case = &plan->cases[case_index];
    uint64_t numbers[] = {plan->seed,      launch->grid.x,  launch->grid.y,  launch->grid.z,
                          launch->block.x, launch->block.y, launch->block.z, launch->shared_bytes};
    size_t count = exercise->param_count;
    double *fills = mem_calloc(3 * count + 1, sizeof *fills);
    cleanup_free void *owned = fills;
    cleanup_text struct text formulas = {0};
    for (size_t i = 0; i < count; i++) {
        const struct exercise_fill *fill = &the_case->fills[i];
        if (fill->formula)
            text_printf(&formulas, "%zu %s\n", i, expr_text(fill->formula));
        fills[3 * i] = (double)fill->kind;
        fills[3 * i + 1] = fill->low;
        fills[3 * i + 2] = fill->high;
    }
    struct hash_part parts[] = {
        {exercise->id, strlen(exercise->id)},
        {the_case->name, strlen(the_case->name)},
        {&kernel->ptx_hash, sizeof kernel->ptx_hash},
        {kernel->lowered, strlen(kernel->lowered)},
        {numbers, sizeof numbers},
        {fills, 3 * count * sizeof *fills},
        {text_string(&formulas), formulas.length},
        /* zeroed by plan_bind, padding included, so that its bytes are a value */
        {launch->arguments, launch->argument_count * sizeof *launch->arguments},
    };
    return hash_parts(parts, ARRAY_LENGTH(parts));
}

/* Finds or makes the entry; true where the caller must compute the answer. Mutex held. */
static bool claim_entry(struct oracle *oracle, const struct sha256 *key,
                        struct oracle_entry **entry) {
    HASH_FIND(hh, oracle->entries, key, sizeof *key, *entry);
    if (!*entry) {
        *entry = mem_zalloc(sizeof **entry);
        (*entry)->key = *key;
        HASH_ADD(hh, oracle->entries, key, sizeof *key, *entry);
        return true;
    }
    while (!(*entry)->ready)
        pthread_cond_wait(&oracle->changed, &oracle->mutex);
    return (*entry)->answer == NULL;
}

static void publish_entry(struct oracle *oracle, struct oracle_entry *entry,
                          struct oracle_answer *answer) {
    pthread_mutex_lock(&oracle->mutex);
    if (answer && !entry->answer && oracle->kept_bytes + answer->launch.data_length <= KEPT_BYTES) {
        oracle->kept_bytes += answer->launch.data_length;
        answer->kept = true;
        entry->answer = answer;
    }
    entry->ready = true;
    pthread_cond_broadcast(&oracle->changed);
    pthread_mutex_unlock(&oracle->mutex);
}

struct constant_search {
    const struct exercise *exercise;
    bool found;
};

static void visit_name(const char *name, unsigned column, void *context) {
    struct constant_search *search = context;
    (void)column;
    for (size_t i = 0; i < search->exercise->constant_count; i++)
        search->found |= strcmp(search->exercise->constants[i].name, name) == 0;
}

bool oracle_shapes_use_constants(const struct exercise *exercise) {
    struct constant_search search = {.exercise = exercise};
    for (size_t i = 0; i < exercise->param_count; i++)
        for (unsigned j = 0; j < exercise->params[i].rank; j++)
            expr_visit_names(exercise->params[i].shape[j], visit_name, &search);
    return search.found;
}

static enum status prepare_answer(const struct plan *plan, size_t case_index,
                                  const struct expr_name *constants, size_t constant_count,
                                  struct oracle_answer **prepared, struct error *error) {
    struct oracle_answer *answer = mem_zalloc(sizeof *answer);
    const struct exercise *exercise = plan->exercise;
    size_t fallback_count;
    cleanup_free struct expr_name *fallbacks = oracle_constants(exercise, &fallback_count);
    bool shared = !oracle_shapes_use_constants(exercise);
    enum status status =
        plan_bind(plan, case_index, &exercise->reference.launch, PLAN_REFERENCE,
                  shared ? fallbacks : constants, shared ? fallback_count : constant_count,
                  exercise->memory_limit_bytes, &answer->launch, error);
    if (status != STATUS_OK) {
        free(answer);
        return status;
    }
    answer->users = 1;
    *prepared = answer;
    return STATUS_OK;
}

enum status oracle_ask(struct oracle *oracle, const struct oracle_kernel *kernel,
                       const struct plan *plan, size_t case_index,
                       const struct expr_name *constants, size_t constant_count, unsigned threads,
                       const struct oracle_answer **out, struct error *error) {
    struct oracle_answer *answer;
    *out = NULL;
    enum status status =
        prepare_answer(plan, case_index, constants, constant_count, &answer, error);
    if (status != STATUS_OK)
        return status;
    struct sha256 key = answer_key(kernel, plan, case_index, &answer->launch);
    struct oracle_entry *entry;
    pthread_mutex_lock(&oracle->mutex);
    bool compute = claim_entry(oracle, &key, &entry);
    if (!compute)
        entry->answer->users++;
    pthread_mutex_unlock(&oracle->mutex);
    if (!compute) {
        free_answer(answer);
        *out = entry->answer;
        return STATUS_OK;
    }
    fill_answer(plan, case_index, answer);
    status = run_reference(kernel, plan, case_index, threads, answer, error);
    publish_entry(oracle, entry, status == STATUS_OK ? answer : NULL);
    if (status != STATUS_OK) {
        free_answer(answer);
        return status;
    }
    *out = answer;
    return STATUS_OK;
}

bool oracle_has(struct oracle *oracle, const struct oracle_kernel *kernel, const struct plan *plan,
                size_t case_index, const struct expr_name *constants, size_t constant_count,
                uint64_t *thread_instructions) {
    struct oracle_answer *answer;
    if (prepare_answer(plan, case_index, constants, constant_count, &answer, NULL) != STATUS_OK)
        return false;
    struct sha256 key = answer_key(kernel, plan, case_index, &answer->launch);
    struct oracle_entry *entry = NULL;
    free_answer(answer);
    pthread_mutex_lock(&oracle->mutex);
    HASH_FIND(hh, oracle->entries, &key, sizeof key, entry);
    bool has = entry && entry->ready && entry->answer;
    if (has)
        *thread_instructions = entry->answer->thread_instructions;
    pthread_mutex_unlock(&oracle->mutex);
    return has;
}

/* ---- several answers at once ----------------------------------------------------------------- */

/* What one thread computes of the answers that no thread has or is computing. */
struct oracle_prefetch {
    struct engine_batch_entry launches[ENGINE_MAX_BATCH];
    struct oracle_entry *entries[ENGINE_MAX_BATCH];
    struct oracle_answer *answers[ENGINE_MAX_BATCH];
    size_t count, bytes;
};

/* A case that cannot be bound is reported to the caller that asks for it. */
static void add_prefetch(struct oracle *oracle, const struct oracle_kernel *kernel,
                         const struct plan *plan, size_t case_index,
                         const struct expr_name *constants, size_t constant_count, unsigned threads,
                         struct oracle_prefetch *prefetch) {
    struct oracle_answer *answer;
    if (prepare_answer(plan, case_index, constants, constant_count, &answer, NULL) != STATUS_OK)
        return;
    size_t bytes = answer->launch.data_length;
    struct sha256 key = answer_key(kernel, plan, case_index, &answer->launch);
    struct oracle_entry *entry = NULL;
    pthread_mutex_lock(&oracle->mutex);
    HASH_FIND(hh, oracle->entries, &key, sizeof key, entry);
    bool ours = !entry && bytes <= PREFETCH_BYTES - prefetch->bytes &&
                prefetch->count < ENGINE_MAX_BATCH && claim_entry(oracle, &key, &entry);
    pthread_mutex_unlock(&oracle->mutex);
    if (!ours) {
        free_answer(answer);
        return;
    }
    fill_answer(plan, case_index, answer);
    prefetch->bytes += bytes;
    prefetch->entries[prefetch->count] = entry;
    prefetch->answers[prefetch->count] = answer;
    prefetch->launches[prefetch->count++] = (struct engine_batch_entry){
        .launch = oracle_launch(kernel, plan, &answer->launch, answer->data, threads),
        .after = ENGINE_MAX_BATCH};
}

void oracle_prepare(struct oracle *oracle, const struct oracle_kernel *kernel,
                    const struct plan *plan, const size_t *indices, size_t count,
                    const struct expr_name *constants, size_t constant_count, unsigned threads) {
    if (kernel->engine)
        return;
    struct oracle_prefetch *prefetch = mem_zalloc(sizeof *prefetch);
    cleanup_free void *owned = prefetch;
    for (size_t i = 0; i < count; i++)
        add_prefetch(oracle, kernel, plan, indices[i], constants, constant_count, threads,
                     prefetch);
    struct worker_limits limits = reference_limits(plan->exercise);
    if (prefetch->count)
        engine_run_batch(prefetch->launches, prefetch->count, &limits, NULL);
    for (size_t i = 0; i < prefetch->count; i++) {
        struct oracle_answer *answer = prefetch->answers[i];
        bool done = prefetch->launches[i].done;
        if (done)
            take_result(plan, &prefetch->launches[i].result, NULL, answer);
        done &= !answer->is_suspect; /* by itself, with the launch that tells */
        publish_entry(oracle, prefetch->entries[i], done ? answer : NULL);
        if (done)
            oracle_release(oracle, answer);
        else
            free_answer(answer);
    }
}
