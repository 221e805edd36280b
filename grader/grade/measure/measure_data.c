/* The data of a round of measuring: fresh for each round, the same for all participants.
 *
 * Buffers are rules wherever an exercise's fill is one: a seed and two bounds travel to the card,
 * where each element is made from its index, and the card compares inputs with the rule afterwards.
 * What is no rule (formulas, permutations) are bytes. The reference's inouts are doubles with the
 * values that the others have in their own type.
 *
 * Every output is compared by the rules of the exercise (compare.h), as in any other case: a kernel
 * that is quick because it does not do the work is found out in the launch that was timed. */
#include "grader/exercise/baseline.h"
#include "grader/grade/measure/grade_measure.h"

#include "grader/cases/random.h"
#include "grader/cases/rules.h"
#include "grader/judge/compare.h"
#include "grader/judge/judge.h"
#include "reports/message.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- preparing ------------------------------------------------------------------------------- */

struct preparation {
    const struct measure_bench *bench;
    struct measure_entrant *entrant;
    enum status status;
    struct error error;
};

static void *prepare_entrant(void *argument) {
    struct preparation *preparation = argument;
    const struct measure_bench *bench = preparation->bench;
    struct measure_entrant *entrant = preparation->entrant;
    plan_launch_free(&entrant->launch);
    preparation->status = plan_bind(
        bench->plan, 0, entrant->shape, entrant->side, entrant->constants, entrant->constant_count,
        bench->run->exercise->memory_limit_bytes, &entrant->launch, &preparation->error);
    if (preparation->status != STATUS_OK)
        return NULL;
    plan_use_rules(bench->plan, PLAN_RULES_ON_CARD, &entrant->launch);
    if (entrant->launch.data_length > entrant->data_capacity) {
        free(entrant->data);
        entrant->data_capacity = entrant->launch.data_length;
        entrant->data = mem_alloc(entrant->data_capacity);
    }
    for (size_t i = 0; i < entrant->launch.argument_count; i++) {
        const struct engine_argument *buffer = &entrant->launch.arguments[i];
        if (buffer->is_buffer && buffer->fill.kind == ENGINE_FILL_DATA)
            plan_fill_buffer(bench->plan, 0, entrant->side, &entrant->launch, i,
                             entrant->data + buffer->data_offset);
    }
    return NULL;
}

typedef void *entrant_work(void *argument);

/* `work` for each of `count` items of `size` bytes, on threads where there can be some. */
static void for_each(entrant_work *work, void *items, size_t count, size_t size) {
    pthread_t threads[MEASURE_COUNT];
    size_t started = 0;
    while (started + 1 < count &&
           pthread_create(&threads[started], NULL, work, (char *)items + started * size) == 0)
        started++;
    for (size_t i = started; i < count; i++)
        work((char *)items + i * size);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* With the exercise's own constants the launch is possible, which its check has seen; so the
 * constants of the submission are to blame, as in any other case. */
static enum status blame_constants(struct measure_bench *bench, const struct error *cause) {
    bench->misbehaved = true;
    judge_unlaunched(bench->run->exercise, bench->run->session->options.language, VERDICT_HAZARD,
                     cause->message, true, bench->the_case);
    return STATUS_BELOW_MARK;
}

enum status measure_prepare(struct measure_bench *bench, unsigned round, struct error *error) {
    struct preparation preparations[MEASURE_COUNT];
    size_t count = 0;
    struct random random;
    cleanup_free char *name = mem_printf("round %u", round);
    random_start(&random, bench->seed,
                 (const char *const[]){bench->run->exercise->id, "measured", name, NULL});
    bench->plan->seed = random_word(&random);
    for (unsigned i = 0; i < MEASURE_COUNT; i++)
        if (bench->present[i])
            preparations[count++] =
                (struct preparation){.bench = bench, .entrant = &bench->entrants[i]};
    for_each(prepare_entrant, preparations, count, sizeof *preparations);
    bench->prepared = round + 1;
    for (size_t i = 0; i < count; i++)
        if (preparations[i].status != STATUS_OK) {
            if (preparations[i].entrant->who == MEASURE_SUBMISSION &&
                preparations[i].entrant->constant_count)
                return blame_constants(bench, &preparations[i].error);
            if (error)
                *error = preparations[i].error;
            return preparations[i].status;
        }
    return STATUS_OK;
}

/* ---- comparing ------------------------------------------------------------------------------- */

struct data_comparison {
    const struct measure_bench *bench;
    const struct measure_entrant *entrant;
    size_t output; /* the first parameter that is wrong; SIZE_MAX: none */
    struct compare_result result;
};

/* Sums of drawn numbers lose little, and no more is then accepted: rounded factors, whose error
 * long sums hide, would gain most here. Of equal or ordered numbers nothing of that kind is known.
 */
static bool terms_are_drawn(const struct plan *plan) {
    for (size_t i = 0; i < plan->exercise->param_count; i++) {
        const struct exercise_param *param = &plan->exercise->params[i];
        enum fill_kind kind = plan->cases[0].fills[i].kind;
        if (element_infos[param->type].is_float &&
            (param->role == ROLE_IN || param->role == ROLE_INOUT) && kind != FILL_UNIFORM &&
            kind != FILL_INTEGERS && kind != FILL_ZERO)
            return false;
    }
    return true;
}

static struct compare_result compare_output(const struct data_comparison *comparison,
                                            size_t index) {
    const struct measure_entrant *entrant = comparison->entrant;
    const struct measure_entrant *reference = &comparison->bench->entrants[MEASURE_REFERENCE];
    const struct exercise_param *param = &comparison->bench->plan->exercise->params[index];
    const struct engine_argument *argument = &entrant->launch.arguments[index];
    const struct engine_argument *arguments = reference->launch.arguments;
    size_t magnitude = reference->launch.magnitudes[index];
    struct compare_request request = {.type = param->type,
                                      .actual = entrant->data + argument->data_offset,
                                      .expected = reference->data + arguments[index].data_offset,
                                      .count = argument->count,
                                      .tolerance = &param->tolerance,
                                      .length = entrant->launch.lengths[index],
                                      .drawn = terms_are_drawn(comparison->bench->plan),
                                      .poison = plan_poison(param->type),
                                      .has_poison = param->role == ROLE_OUT &&
                                                    element_infos[param->type].bytes >= 4};
    if (magnitude != SIZE_MAX)
        request.magnitude =
            (const double *)(const void *)(reference->data + arguments[magnitude].data_offset);
    return compare_many(&request);
}

/* Where a shape follows from constants, a tuned kernel with others than the submission's has other
 * outputs than the reference, which had the submission's: those are not compared. */
static void *compare_entrant(void *argument) {
    struct data_comparison *comparison = argument;
    const struct exercise *exercise = comparison->bench->plan->exercise;
    const struct plan_launch *launch = &comparison->entrant->launch;
    const struct plan_launch *reference = &comparison->bench->entrants[MEASURE_REFERENCE].launch;
    comparison->output = SIZE_MAX;
    for (size_t i = 0; i < exercise->param_count && comparison->output == SIZE_MAX; i++) {
        enum exercise_role role = exercise->params[i].role;
        if ((role != ROLE_OUT && role != ROLE_INOUT) ||
            launch->arguments[i].count != reference->arguments[i].count)
            continue;
        comparison->result = compare_output(comparison, i);
        if (comparison->result.differing)
            comparison->output = i;
    }
    return NULL;
}

/* Wrong results of a timed launch count like those of any other. */
static void conclude_wrong(struct measure_bench *bench, const struct data_comparison *comparison,
                           unsigned round) {
    const struct exercise *exercise = bench->run->exercise;
    const struct engine_argument *argument =
        &comparison->entrant->launch.arguments[comparison->output];
    const struct compare_result *found = &comparison->result;
    char *where = judge_index_text(argument, found->first);
    bench->the_case->difference =
        (struct report_difference){.present = true,
                                   .output = mem_strdup(argument->name),
                                   .index = where,
                                   .flat_index = found->first,
                                   .expected = found->expected,
                                   .actual = found->actual,
                                   .allowed = found->allowed,
                                   .is_integer = !element_infos[argument->type].is_float,
                                   .never_written = found->first_unwritten,
                                   .differing = found->differing,
                                   .total = argument->count};
    bench->misbehaved = true;
    enum language language = bench->run->session->options.language;
    judge_speed(
        exercise, language, VERDICT_WRONG_ANSWER,
        mem_printf(WORDS(language, round_is_wrong), round + 1, found->differing, argument->count,
                   text_plural(argument->count), argument->name,
                   found->differing == 1 ? "is" : "are",
                   found->first_is_coarse ? WORDS(language, less_exact) : WORDS(language, wrong),
                   argument->name, where),
        bench->the_case);
}

static enum status fail_other(const struct measure_bench *bench,
                              const struct data_comparison *comparison, struct error *error) {
    const struct measure_entrant *entrant = comparison->entrant;
    const struct engine_argument *argument = &entrant->launch.arguments[comparison->output];
    cleanup_free char *where = judge_index_text(argument, comparison->result.first);
    enum status status = error_set(
        error, STATUS_INVALID, "%s of %s is wrong at the measured sizes: %s%s is %s, not %s",
        entrant->who == MEASURE_BASELINE ? "the baseline" : "the tuned kernel",
        bench->run->exercise->id, argument->name, where, decimal(comparison->result.actual, 9).text,
        decimal(comparison->result.expected, 9).text);
    error_place(error, entrant->file, 0, 0, NULL, 0);
    return status;
}

enum status measure_compare(struct measure_bench *bench, unsigned round, struct error *error) {
    struct data_comparison comparisons[MEASURE_COUNT];
    size_t count = 0;
    for (unsigned i = 0; i < MEASURE_COUNT; i++)
        if (bench->present[i] && i != MEASURE_REFERENCE)
            comparisons[count++] =
                (struct data_comparison){.bench = bench, .entrant = &bench->entrants[i]};
    for_each(compare_entrant, comparisons, count, sizeof *comparisons);
    for (size_t i = 0; i < count; i++)
        if (comparisons[i].output != SIZE_MAX && comparisons[i].entrant->who != MEASURE_SUBMISSION)
            return fail_other(bench, &comparisons[i], error);
    for (size_t i = 0; i < count; i++)
        if (comparisons[i].output != SIZE_MAX)
            conclude_wrong(bench, &comparisons[i], round);
    return bench->misbehaved ? STATUS_BELOW_MARK : STATUS_OK;
}

/* ---- the baseline ---------------------------------------------------------------------------- */

/* cuBLAS reads columns. A matrix by rows is the transposed one by columns, and the product of
 * transposed matrices is the transposed product with the factors swapped. */
struct cuda_blas_call measure_blas_call(const struct exercise *exercise,
                                        const struct baseline_sizes *sizes,
                                        const struct plan_launch *launch) {
    const struct exercise_baseline *baseline = &exercise->measured.baseline;
    uint64_t m = (uint64_t)sizes->m, n = (uint64_t)sizes->n, k = (uint64_t)sizes->k;
    unsigned a = (unsigned)baseline->a, c = (unsigned)baseline->c;
    unsigned b = baseline->b == SIZE_MAX ? a : (unsigned)baseline->b;
    struct cuda_blas_call call = {.m = m, .n = n, .k = k, .alpha = 1, .a = a, .b = b, .c = c};
    bool by_rows = !baseline->column_major;
    switch (baseline->routine) {
    case BASELINE_SGEMM:
        call.routine = CUDA_BLAS_SGEMM;
        call.lda = m;
        call.ldb = k;
        call.ldc = m;
        if (by_rows)
            call = (struct cuda_blas_call){.routine = CUDA_BLAS_SGEMM,
                                           .m = n,
                                           .n = m,
                                           .k = k,
                                           .lda = n,
                                           .ldb = k,
                                           .ldc = n,
                                           .alpha = 1,
                                           .a = b,
                                           .b = a,
                                           .c = c};
        break;
    case BASELINE_SGEMV:
        call.routine = CUDA_BLAS_SGEMV;
        call.transpose_a = by_rows;
        call.m = by_rows ? k : m;
        call.n = by_rows ? m : k;
        call.lda = call.m;
        break;
    case BASELINE_SDOT:
        call.routine = CUDA_BLAS_SDOT;
        call.n = k;
        break;
    case BASELINE_SAXPY:
        call.routine = CUDA_BLAS_SAXPY;
        call.n = m;
        call.alpha = element_to_double(ELEMENT_f32, &launch->arguments[baseline->alpha].scalar, 0);
        break;
    default: /* c is m x n by rows: n x m by columns, and a the other way round */
        call.routine = CUDA_BLAS_SGEAM;
        call.transpose_a = call.transpose_b = true; /* b is a, times 0 */
        call.m = by_rows ? n : m;
        call.n = by_rows ? m : n;
        call.lda = call.ldb = call.n;
        call.ldc = call.m;
        break;
    }
    return call;
}
