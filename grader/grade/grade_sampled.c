/* Results at the sizes at which times are modelled, where only a sample of blocks is executed: what
 * those wrote is compared with the reference, of which the blocks run that make the same elements.
 *
 * No kernel is called wrong for what was not seen. An element counts where a block of the reference
 * wrote it, and either a block of the submission wrote it, too, or all blocks of the submission
 * ran. That some blocks of a sample write less than those of another kernel says nothing by itself:
 * kernels share their work in different ways. The exercise's tolerance holds here as at other
 * sizes; where it is the author's judgement alone, judged at smaller sizes, twice of it. */
#include "grader/grade/grade_sampled.h"

#include "grader/cases/rules.h"
#include "grader/grade/grade_blocks.h"
#include "grader/judge/compare.h"
#include "grader/judge/judge.h"
#include "reports/message.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"
#include "sandbox/engine/engine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROBED_RUNS = 32, /* where nothing is known of what the submission wrote */
    PROBED_RUN = 8,   /* neighbours */
};

/* Thread instructions of the reference's blocks in all; and where a submission seems to leave out
 * work, which few do and is worth some seconds, of those and of all its own blocks: a product of
 * matrices of 1024 x 1024 takes five to six thousand million. */
#define REFERENCE_BUDGET  UINT64_C(4000000)
#define REFERENCE_BLOCK   UINT64_C(20000000) /* ... where the first one has more than that */
#define CONFIRM_REFERENCE UINT64_C(256000000)
#define CONFIRM_BUDGET    UINT64_C(6000000000)

#define NEAR_SLACK        2

/* The case at those sizes, on both sides. */
struct comparison {
    const struct grade_run *run;
    struct grade_modelled modelled;
    struct plan_launch reference;
    struct engine_element *own;   /* the submission's */
    struct engine_element *right; /* the reference's, then their magnitudes */
    size_t count;                 /* of `own` */
    struct engine_probe *probes;
    size_t probe_count;
};

static bool is_compared(const struct exercise *exercise, size_t index) {
    return index < exercise->param_count && exercise_param_is_output(&exercise->params[index]) &&
           exercise->params[index].tolerance.kind != TOLERANCE_NONE;
}

/* What both read must be the same numbers. */
static bool inputs_agree(const struct comparison *comparison) {
    const struct grade_modelled *modelled = &comparison->modelled;
    for (size_t i = 0; i < modelled->exercise.param_count; i++) {
        const struct engine_fill *own = &modelled->launch.arguments[i].fill;
        const struct engine_fill *other = &comparison->reference.arguments[i].fill;
        if (modelled->exercise.params[i].role != ROLE_OUT &&
            (own->kind != other->kind || own->seed != other->seed || own->low != other->low ||
             own->high != other->high))
            return false;
    }
    return true;
}

/* Constants of the submission only where a shape depends on them, as in the other cases. */
static bool bind_reference(struct comparison *comparison) {
    const struct grade_run *run = comparison->run;
    size_t count;
    cleanup_free struct expr_name *fallbacks = oracle_constants(run->exercise, &count);
    bool shared = !oracle_shapes_use_constants(run->exercise);
    if (plan_bind(comparison->modelled.plan, 0, &run->exercise->reference.launch, PLAN_REFERENCE,
                  shared ? fallbacks : run->kernel->constants,
                  shared ? count : run->kernel->constant_count, GRADE_MODELLED_MEMORY_BYTES,
                  &comparison->reference, NULL) != STATUS_OK)
        return false;
    plan_use_rules(comparison->modelled.plan, PLAN_RULES_ON_DEMAND, &comparison->reference);
    return inputs_agree(comparison);
}

static void close_comparison(struct comparison *comparison) {
    plan_launch_free(&comparison->reference);
    grade_modelled_close(&comparison->modelled);
    free(comparison->own);
    free(comparison->right);
    free(comparison->probes);
}

/* False where there is nothing to compare with. */
static bool open_comparison(const struct grade_run *run, struct comparison *comparison) {
    *comparison = (struct comparison){.run = run};
    if (!run->reference || !run->reference->build.ptx_length ||
        grade_modelled_open(run, &comparison->modelled, NULL) != STATUS_OK)
        return false;
    if (comparison->modelled.bound && bind_reference(comparison))
        return true;
    close_comparison(comparison);
    return false;
}

/* ---- the reference's elements ---------------------------------------------------------------- */

static bool has_place(const struct comparison *comparison, unsigned argument, uint64_t index) {
    const struct plan_launch *reference = &comparison->reference;
    const struct engine_argument *other = &reference->arguments[argument];
    return is_compared(comparison->run->exercise, argument) &&
           other->fill.kind != ENGINE_FILL_DATA && index < other->count &&
           other->count == comparison->modelled.launch.arguments[argument].count;
}

static void add_element(struct comparison *comparison, const struct engine_element *element) {
    if (has_place(comparison, element->argument, element->index))
        comparison->own[comparison->count++] = *element;
}

/* Magnitudes come after all values: the blocks that make these make those. */
static void make_probes(struct comparison *comparison) {
    const struct plan_launch *reference = &comparison->reference;
    comparison->probes = mem_calloc(2 * comparison->count, sizeof *comparison->probes);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct engine_element *element = &comparison->own[i];
        struct engine_probe *probe = &comparison->probes[comparison->probe_count++];
        *probe = (struct engine_probe){element->argument, element->index, 0, {0}};
        probe->block_count =
            grade_guess_blocks(&reference->arguments[element->argument], element->index,
                               reference->grid, reference->block, probe->blocks);
    }
    for (size_t i = 0; i < comparison->count; i++) {
        const struct engine_element *element = &comparison->own[i];
        size_t magnitude = reference->magnitudes[element->argument];
        if (magnitude != SIZE_MAX)
            comparison->probes[comparison->probe_count++] =
                (struct engine_probe){(unsigned)magnitude, element->index, 0, {0}};
    }
}

static bool ended_well(const struct engine_result *result) {
    return result->end == ENGINE_COMPLETED && !result->hazard_count;
}

static enum status launch_probes(struct comparison *comparison, struct engine_launch *request,
                                 uint64_t probe_budget, struct engine_element **elements,
                                 struct error *error) {
    struct worker_limits limits = grade_limits(comparison->run);
    struct engine_result result;
    request->keeps_data = true;
    request->no_checks = true;
    request->probes = comparison->probes;
    request->probe_count = comparison->probe_count;
    request->probe_budget = probe_budget;
    *elements = NULL;
    enum status status = engine_run(request, &limits, &result, error);
    if (status != STATUS_OK)
        return status;
    if (ended_well(&result)) { /* all elements or none */
        *elements = result.elements;
        result.elements = NULL;
    }
    engine_result_free(&result);
    return STATUS_OK;
}

/* comparison->right is what it makes of them; NULL where it cannot say. */
static enum status ask_reference(struct comparison *comparison, uint64_t budget,
                                 struct error *error) {
    const struct plan *plan = comparison->modelled.plan;
    make_probes(comparison);
    if (!comparison->probe_count)
        return STATUS_OK;
    cleanup_free void *data = grade_modelled_fill(plan, PLAN_REFERENCE, &comparison->reference);
    struct engine_launch request =
        oracle_launch(comparison->run->reference, plan, &comparison->reference, data, 1);
    request.budget = budget + REFERENCE_BLOCK;
    return launch_probes(comparison, &request, budget, &comparison->right, error);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* The elements of one output that both have. */
struct compared_output {
    char *actual, *expected;
    double *magnitudes;
    uint64_t *indices;
    bool *written;
    size_t count;
};

static void gather_output(const struct comparison *comparison, size_t output,
                          struct compared_output *gathered) {
    const struct plan_launch *reference = &comparison->reference;
    unsigned own_bytes = element_infos[comparison->run->exercise->params[output].type].bytes;
    unsigned bytes = element_infos[reference->arguments[output].type].bytes;
    size_t count = comparison->count, magnitude = count;
    *gathered = (struct compared_output){.actual = mem_calloc(count, 8),
                                         .expected = mem_calloc(count, 8),
                                         .magnitudes = mem_calloc(count, sizeof(double)),
                                         .indices = mem_calloc(count, sizeof(uint64_t)),
                                         .written = mem_calloc(count, sizeof(bool))};
    for (size_t i = 0; i < count; i++) {
        const struct engine_element *own = &comparison->own[i], *right = &comparison->right[i];
        bool has_magnitude = reference->magnitudes[own->argument] != SIZE_MAX;
        const struct engine_element *bound =
            has_magnitude ? &comparison->right[magnitude++] : right;
        if (own->argument != output || !right->written || !bound->written)
            continue;
        size_t at = gathered->count++;
        memcpy(gathered->actual + at * own_bytes, &own->bits, own_bytes);
        memcpy(gathered->expected + at * bytes, &right->bits, bytes);
        memcpy(&gathered->magnitudes[at], &bound->bits, sizeof(double));
        gathered->indices[at] = own->index;
        gathered->written[at] = own->written;
    }
}

static void free_output(struct compared_output *gathered) {
    free(gathered->actual);
    free(gathered->expected);
    free(gathered->magnitudes);
    free(gathered->indices);
    free(gathered->written);
}

static void compare_output(const struct comparison *comparison, size_t output,
                           struct grade_sampled *found) {
    const struct exercise_param *param = &comparison->run->exercise->params[output];
    struct exercise_tolerance tolerance = param->tolerance;
    struct compared_output gathered;
    gather_output(comparison, output, &gathered);
    tolerance.relative *= NEAR_SLACK;
    tolerance.absolute *= NEAR_SLACK;
    struct compare_request request = {
        .type = param->type,
        .actual = gathered.actual,
        .expected = gathered.expected,
        .magnitude =
            comparison->reference.magnitudes[output] != SIZE_MAX ? gathered.magnitudes : NULL,
        .count = gathered.count,
        .tolerance = &tolerance,
        .length = comparison->modelled.launch.lengths[output]};
    struct compare_result result = compare_elements(&request);
    found->compared += gathered.count;
    if (result.differing && !found->difference.present) {
        const struct engine_argument *argument = &comparison->modelled.launch.arguments[output];
        uint64_t index = gathered.indices[result.first];
        found->difference = (struct report_difference){
            .present = true,
            .output = mem_strdup(argument->name),
            .index = judge_index_text(argument, index),
            .flat_index = index,
            .expected = result.expected,
            .actual = result.actual,
            .never_written = param->role == ROLE_OUT && !gathered.written[result.first],
            .is_integer = !element_infos[param->type].is_float};
    }
    free_output(&gathered);
}

static void compare_outputs(const struct comparison *comparison, struct grade_sampled *found) {
    for (size_t i = 0; i < comparison->run->exercise->param_count; i++)
        if (is_compared(comparison->run->exercise, i))
            compare_output(comparison, i, found);
}

/* ---- both ways ------------------------------------------------------------------------------- */

enum status grade_sampled_compare(const struct grade_run *run, const struct grade_large *large,
                                  struct grade_sampled *found, struct error *error) {
    const struct engine_result *result = &large->result;
    struct comparison comparison;
    *found = (struct grade_sampled){0};
    if (!result->element_count || !open_comparison(run, &comparison))
        return STATUS_OK;
    comparison.own = mem_calloc(result->element_count, sizeof *comparison.own);
    for (size_t i = 0; i < result->element_count; i++)
        add_element(&comparison, &result->elements[i]);
    enum status status = ask_reference(&comparison, REFERENCE_BUDGET, error);
    if (status == STATUS_OK && comparison.right)
        compare_outputs(&comparison, found);
    close_comparison(&comparison);
    return status;
}

/* Neighbours from all parts of an output. */
static void add_places(struct comparison *comparison, unsigned output) {
    const struct engine_argument *argument = &comparison->modelled.launch.arguments[output];
    uint64_t count = argument->count, seed = comparison->run->plan->seed + output;
    for (uint64_t run = 0; run < PROBED_RUNS; run++) {
        uint64_t from = count / PROBED_RUNS * run;
        uint64_t first = from + mix_word(seed, run + 1) % (count / PROBED_RUNS + 1);
        for (uint64_t i = first; i < first + PROBED_RUN; i++)
            add_element(comparison, &(struct engine_element){.argument = output, .index = i});
    }
}

/* comparison->own becomes what all blocks of the submission leave. */
static enum status ask_submission(struct comparison *comparison, struct error *error) {
    const struct plan_launch *launch = &comparison->modelled.launch;
    cleanup_free void *data =
        grade_modelled_fill(comparison->modelled.plan, PLAN_SUBMISSION, launch);
    struct engine_launch request = grade_request(comparison->run, launch, data, CONFIRM_BUDGET);
    comparison->probe_count = comparison->count;
    struct engine_element *elements;
    enum status status = launch_probes(comparison, &request, UINT64_MAX, &elements, error);
    free(comparison->own);
    comparison->own = elements;
    return status;
}

enum status grade_sampled_confirm(const struct grade_run *run, struct grade_sampled *found,
                                  struct error *error) {
    struct comparison comparison;
    if (!open_comparison(run, &comparison))
        return STATUS_OK;
    size_t outputs = run->exercise->param_count;
    comparison.own = mem_calloc(outputs * PROBED_RUNS * PROBED_RUN, sizeof *comparison.own);
    for (size_t i = 0; i < outputs; i++)
        if (is_compared(run->exercise, i))
            add_places(&comparison, (unsigned)i);
    enum status status = ask_reference(&comparison, CONFIRM_REFERENCE, error);
    if (status == STATUS_OK && comparison.right)
        status = ask_submission(&comparison, error);
    if (status == STATUS_OK && comparison.right && comparison.own) /* it ended in time */
        compare_outputs(&comparison, found);
    close_comparison(&comparison);
    return status;
}

bool grade_sampled_judge(const struct grade_run *run, struct grade_sampled *found,
                         struct report_case *the_case) {
    const struct exercise *exercise = run->exercise;
    if (!found->difference.present)
        return true;
    cleanup_text struct text sizes = {0};
    for (size_t i = 0; i < exercise->speed_size_count; i++)
        text_printf(&sizes, "%s%s = %" PRId64, i ? ", " : "", exercise->modelled_sizes[i].name,
                    exercise->modelled_sizes[i].value);
    the_case->difference = found->difference;
    judge_speed(exercise, run->session->options.language, VERDICT_WRONG_ANSWER,
                mem_printf(found->difference.never_written
                               ? WORDS(run->session->options.language, sampled_never_written)
                               : WORDS(run->session->options.language, sampled_differs),
                           text_string(&sizes), found->difference.output, found->difference.index,
                           found->compared, text_plural(found->compared)),
                the_case);
    found->difference = (struct report_difference){.present = false};
    return false;
}
