/* From the catalogue and from the exercises to launches with data.
 *
 * An exercise's launch may depend on constants that the compiler knows (a tile's width). They stand
 * in a comment in the first line of the PTX, so that a machine without a compiler has them too.
 * Data come from the grader's own plan with a fixed seed. */
#include "launches.h"

#include "grader/cases/plan.h"
#include "grader/cli/sim_argument.h"
#include "grader/exercise/exercise.h"
#include "sandbox/base/file.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/build/build.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 1, MAX_CONSTANTS = 16, MAX_PTX_BYTES = 64 << 20 };

/* ---- models ---------------------------------------------------------------------------------- */

static size_t aligned(size_t bytes) {
    return (bytes + PLAN_BUFFER_ALIGNMENT - 1) / PLAN_BUFFER_ALIGNMENT * PLAN_BUFFER_ALIGNMENT;
}

static enum status fill_model(const struct model_launch *shape, bool on_demand,
                              struct gpu_launch *launch, struct error *error) {
    void *bytes[ENGINE_MAX_ARGUMENTS] = {0};
    size_t lengths[ENGINE_MAX_ARGUMENTS] = {0};
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < shape->spec_count && status == STATUS_OK; i++) {
        struct sim_argument argument;
        status = (on_demand ? sim_argument_parse_rule : sim_argument_parse)(shape->specs[i], i,
                                                                            SEED, &argument, error);
        if (status != STATUS_OK)
            break;
        argument.engine.data_offset = launch->data_length;
        launch->arguments[launch->argument_count++] = argument.engine;
        launch->data_length += aligned(argument.byte_count);
        bytes[i] = argument.bytes;
        lengths[i] = argument.byte_count;
    }
    launch->data = mem_zalloc(launch->data_length + 1);
    for (size_t i = 0; i < launch->argument_count; i++) {
        if (bytes[i])
            memcpy((char *)launch->data + launch->arguments[i].data_offset, bytes[i], lengths[i]);
        free(bytes[i]);
    }
    return status;
}

enum status gpu_launch_of_model(const struct model_kernel *kernel, enum model_size size,
                                const char *ptx_folder, bool on_demand, struct gpu_launch *launch,
                                struct error *error) {
    *launch = (struct gpu_launch){
        .family = kernel->family, .variant = kernel->variant, .size = model_size_names[size]};
    struct model_launch shape;
    enum status status = model_launch_make(kernel, size, &shape, error);
    if (status != STATUS_OK)
        return status;
    launch->grid = shape.grid;
    launch->block = shape.block;
    launch->shared_bytes = shape.shared_bytes;
    status = model_compile(kernel, ptx_folder, &launch->ptx, &launch->entry, error);
    if (status == STATUS_OK)
        status = fill_model(&shape, on_demand, launch, error);
    model_launch_free(&shape);
    if (status != STATUS_OK)
        gpu_launch_free(launch);
    return status;
}

void gpu_launch_free(struct gpu_launch *launch) {
    free(launch->ptx);
    free(launch->entry);
    free(launch->data);
    *launch = (struct gpu_launch){0};
}

/* ---- an exercise's kernels ------------------------------------------------------------------- */

struct variant {
    const struct exercise *exercise;
    const char *name, *file, *kernel;
    enum plan_side side;
    const struct exercise_launch *shape;
};

/* A kernel that never ends, or that ends the context, has no counters to compare. */
static bool mutant_ends(const struct exercise_mutant *mutant) {
    return mutant->verdict != VERDICT_TIME_LIMIT && mutant->verdict != VERDICT_CRASH &&
           !(mutant->has_hazard &&
             (mutant->hazard == HAZARD_DEADLOCK || mutant->hazard == HAZARD_INSTRUCTION_BUDGET ||
              mutant->hazard == HAZARD_TRAP || mutant->hazard == HAZARD_MISALIGNED));
}

/* Caller frees the array. */
static struct variant *list_variants(const struct exercise *exercise, size_t *count) {
    struct variant *variants = mem_calloc(exercise->mutant_count + 2, sizeof *variants);
    variants[0] = (struct variant){.exercise = exercise,
                                   .name = "reference",
                                   .file = exercise->reference.file,
                                   .kernel = exercise->reference.kernel,
                                   .side = PLAN_REFERENCE,
                                   .shape = &exercise->reference.launch};
    variants[1] = (struct variant){.exercise = exercise,
                                   .name = "tuned",
                                   .file = exercise->tuned.file,
                                   .kernel = exercise->tuned.kernel,
                                   .side = PLAN_SUBMISSION,
                                   .shape = &exercise->tuned.launch};
    *count = 2;
    for (size_t i = 0; i < exercise->mutant_count; i++)
        if (mutant_ends(&exercise->mutants[i]))
            variants[(*count)++] = (struct variant){.exercise = exercise,
                                                    .name = exercise->mutants[i].name,
                                                    .file = exercise->mutants[i].file,
                                                    .kernel = exercise->kernel,
                                                    .side = PLAN_SUBMISSION,
                                                    .shape = &exercise->launch};
    return variants;
}

/* "// constants: TILE_WIDTH=16 entry: _Z3dot", then the compiler's text. */
static char *annotate(const struct exercise *exercise, const struct build_result *result) {
    struct text out = {0};
    text_append(&out, "// constants:");
    for (size_t i = 0; i < result->constant_count; i++) {
        const struct exercise_constant *constant = &exercise->constants[i];
        text_printf(&out, " %s=%" PRId64, constant->name,
                    result->constants[i].known ? result->constants[i].value : constant->fallback);
    }
    text_printf(&out, " entry: %s\n", result->kernels[result->kernel_index].lowered);
    text_append_bytes(&out, result->ptx, result->ptx_length);
    return text_steal(&out);
}

static enum status find_source(const struct variant *variant, char source[], struct error *error) {
    cleanup_free char *text = NULL;
    size_t length;
    enum status status = file_read(variant->file, BUILD_SOURCE_MAX, &text, &length, error);
    if (status != STATUS_OK)
        return status;
    struct sha256 hash = hash_bytes(text, length);
    char hex[65];
    hash_hex(&hash, hex);
    memcpy(source, hex, GPU_SOURCE_DIGITS);
    source[GPU_SOURCE_DIGITS] = '\0';
    return STATUS_OK;
}

static enum status compile(const struct variant *variant, char **ptx, struct error *error) {
    const struct exercise *exercise = variant->exercise;
    cleanup_free char *source = NULL;
    const char *names[MAX_CONSTANTS];
    size_t length;
    enum status status = file_read(variant->file, BUILD_SOURCE_MAX, &source, &length, error);
    if (status != STATUS_OK)
        return status;
    if (exercise->constant_count > MAX_CONSTANTS)
        return error_set(error, STATUS_INVALID, "%s has too many constants", exercise->id);
    for (size_t i = 0; i < exercise->constant_count; i++)
        names[i] = exercise->constants[i].name;
    struct build_request request = {.file_name = file_base_name(variant->file),
                                    .source = source,
                                    .source_length = length,
                                    .kernel = variant->kernel,
                                    .constants = names,
                                    .constant_count = exercise->constant_count};
    struct build_result result;
    status = build_compile(&request, NULL, &result, error);
    if (status != STATUS_OK)
        return status;
    if (result.compiled)
        *ptx = annotate(exercise, &result);
    else
        status = error_set(error, STATUS_INVALID, "%s: %s", variant->file, result.message);
    build_result_free(&result);
    return status;
}

static char *ptx_path(const struct variant *variant, const char *folder) {
    return mem_printf("%s/%s-%s.ptx", folder, variant->exercise->id, variant->name);
}

static enum status find_ptx(const struct variant *variant, const char *folder, char **ptx,
                            struct error *error) {
    cleanup_free char *path = folder ? ptx_path(variant, folder) : NULL;
    size_t length;
    if (path && file_exists(path))
        return file_read(path, MAX_PTX_BYTES, ptx, &length, error);
    return compile(variant, ptx, error);
}

/* Reads the first line back. `names` point into the exercise. */
static enum status read_annotation(const struct variant *variant, const char *ptx,
                                   struct expr_name *names, char **entry, struct error *error) {
    const struct exercise *exercise = variant->exercise;
    cleanup_free char *line = mem_strndup(ptx, strcspn(ptx, "\n"));
    const char *mark = strstr(line, " entry: ");
    if (!mark)
        return error_set(error, STATUS_INVALID, "the PTX of %s/%s does not name its entry",
                         exercise->id, variant->name);
    *entry = mem_strdup(mark + strlen(" entry: "));
    for (size_t i = 0; i < exercise->constant_count; i++) {
        cleanup_free char *key = mem_printf(" %s=", exercise->constants[i].name);
        const char *value = strstr(line, key);
        names[i] = (struct expr_name){exercise->constants[i].name,
                                      value ? strtoll(value + strlen(key), NULL, 10)
                                            : exercise->constants[i].fallback};
    }
    return STATUS_OK;
}

/* ---- an exercise's launches ------------------------------------------------------------------ */

static enum status bind(const struct variant *variant, const struct plan *plan, size_t index,
                        const struct expr_name *constants, struct gpu_launch *launch,
                        struct error *error) {
    const struct exercise *exercise = variant->exercise;
    struct plan_launch bound;
    enum status status =
        plan_bind(plan, index, variant->shape, variant->side, constants, exercise->constant_count,
                  exercise->memory_limit_bytes, &bound, error);
    if (status != STATUS_OK)
        return status;
    launch->family = exercise->id;
    launch->variant = variant->name;
    launch->size = plan->cases[index].name;
    launch->grid = bound.grid;
    launch->block = bound.block;
    launch->shared_bytes = bound.shared_bytes;
    launch->argument_count = bound.argument_count;
    memcpy(launch->arguments, bound.arguments, bound.argument_count * sizeof *bound.arguments);
    launch->data_length = bound.data_length;
    launch->data = mem_zalloc(bound.data_length + 1);
    plan_fill(plan, index, variant->side, &bound, launch->data);
    plan_launch_free(&bound);
    return STATUS_OK;
}

struct launches_visit {
    const char *ptx_folder;
    gpu_variant_filter *wanted;
    gpu_launch_visitor *visit;
    void *context;
    bool going_on;
};

static enum status visit_launches(const struct variant *variant, void *context,
                                  struct error *error) {
    struct launches_visit *all = context;
    char source[GPU_SOURCE_DIGITS + 1];
    enum status found = find_source(variant, source, error);
    if (found != STATUS_OK ||
        (all->wanted && !all->wanted(variant->exercise->id, variant->name, source, all->context)))
        return found;
    cleanup_free char *ptx = NULL, *entry = NULL;
    struct expr_name constants[MAX_CONSTANTS];
    struct plan *plan = NULL;
    enum status status = find_ptx(variant, all->ptx_folder, &ptx, error);
    if (status == STATUS_OK)
        status = read_annotation(variant, ptx, constants, &entry, error);
    if (status == STATUS_OK)
        status = plan_make(variant->exercise, SEED, NULL, &plan, error);
    for (size_t i = 0; status == STATUS_OK && all->going_on && i < plan->case_count; i++) {
        struct gpu_launch launch = {0};
        /* The speed case is too large to be simulated in full, for every kernel. */
        if (plan->cases[i].group == GROUP_GENERATED || plan->cases[i].group == GROUP_SPEED)
            continue;
        status = bind(variant, plan, i, constants, &launch, error);
        if (status != STATUS_OK)
            break;
        launch.ptx = mem_strdup(ptx);
        launch.entry = mem_strdup(entry);
        memcpy(launch.source, source, sizeof source);
        all->going_on = all->visit(&launch, all->context);
        gpu_launch_free(&launch);
    }
    plan_free(plan);
    return status;
}

typedef enum status variant_visitor(const struct variant *variant, void *context,
                                    struct error *error);

static enum status for_each_variant(variant_visitor *visit, void *context, struct error *error) {
    char **ids;
    size_t id_count, count;
    enum status status = exercise_ids(&ids, &id_count, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < id_count; i++) {
        struct exercise *exercise = NULL;
        if (status == STATUS_OK)
            status = exercise_find(ids[i], &exercise, error);
        cleanup_free struct variant *variants = NULL;
        if (status == STATUS_OK)
            variants = list_variants(exercise, &count);
        for (size_t j = 0; status == STATUS_OK && j < count; j++)
            status = visit(&variants[j], context, error);
        exercise_free(exercise);
        free(ids[i]);
    }
    free(ids);
    return status;
}

enum status gpu_launches_of_exercises(const char *ptx_folder, gpu_variant_filter *wanted,
                                      gpu_launch_visitor *visit, void *context,
                                      struct error *error) {
    struct launches_visit all = {ptx_folder, wanted, visit, context, true};
    return for_each_variant(visit_launches, &all, error);
}

static enum status write_variant(const struct variant *variant, void *context,
                                 struct error *error) {
    cleanup_free char *path = ptx_path(variant, context), *ptx = NULL;
    enum status status = compile(variant, &ptx, error);
    return status == STATUS_OK ? file_write(path, ptx, strlen(ptx), error) : status;
}

enum status gpu_launches_write_ptx(const char *folder, struct error *error) {
    return for_each_variant(write_variant, (void *)folder, error);
}
