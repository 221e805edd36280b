/* Cases, launches and input data of an exercise; see plan.h.
 *
 * All buffers of a launch lie in one data area, each on a multiple of 256 bytes, as cudaMalloc
 * aligns them. Extents, products and offsets are computed with overflow checks, because a YAML file
 * is a user's file and a constant is the student's. */
#include "grader/cases/plan.h"

#include "grader/cases/fill.h"
#include "grader/cases/random.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_GENERATED = 1000, MAX_NAMES = 256 };

uint64_t plan_poison(enum element_type type) {
    switch (type) {
    case ELEMENT_f16:
        return 0x7a5a;
    case ELEMENT_f32:
        return 0x7ea5a5a5;
    case ELEMENT_f64:
        return 0x7fea5a5a5a5a5a5a;
    default:
        return 0xa5a5a5a5a5a5a5a5 >> (64 - 8 * element_infos[type].bytes);
    }
}

uint64_t plan_other_poison(enum element_type type) {
    switch (type) {
    case ELEMENT_f16:
        return 0x79a5;
    case ELEMENT_f32:
        return 0x7d5a5a5a;
    case ELEMENT_f64:
        return 0x7ed5a5a5a5a5a5a5;
    default:
        return 0x5a5a5a5a5a5a5a5a >> (64 - 8 * element_infos[type].bytes);
    }
}

static void case_free(struct plan_case *the_case) {
    free(the_case->name);
    free(the_case->sizes);
    free(the_case->fills);
}

static void append_case(struct plan *plan, const char *pattern, struct plan_case *made) {
    plan->group_totals[made->group]++;
    if (pattern && fnmatch(pattern, made->name, 0) != 0) {
        case_free(made);
        return;
    }
    plan->cases[plan->case_count++] = *made;
}

/* A copy, the params' own where the case has none; resolve_fills() gives the bounds their values.
 */
static struct exercise_fill *take_fills(const struct exercise *exercise,
                                        const struct exercise_fill *given) {
    struct exercise_fill *fills = mem_calloc(exercise->param_count + 1, sizeof *fills);
    for (size_t i = 0; i < exercise->param_count; i++)
        fills[i] = given ? given[i] : exercise->params[i].fill;
    return fills;
}

static enum status resolve_fills(const struct plan *plan, struct error *error) {
    const struct exercise *exercise = plan->exercise;
    for (size_t i = 0; i < plan->case_count; i++)
        for (size_t j = 0; j < exercise->param_count; j++) {
            struct plan_case *the_case = &plan->cases[i];
            const struct exercise_fill fill = the_case->fills[j];
            const struct expr *culprit;
            struct error cause = {0};
            if (fill_resolve(&fill, the_case->sizes, the_case->size_count, &the_case->fills[j],
                             &culprit, &cause) != STATUS_OK)
                return error_set(error, STATUS_INVALID, "the data of %s in the case %s: %s",
                                 exercise->params[j].name, the_case->name, cause.message);
        }
    return STATUS_OK;
}

static struct plan_case make_generated(const struct exercise *exercise, uint64_t seed,
                                       unsigned number) {
    struct plan_case made = {.name = mem_printf("generated-%u", number), .group = GROUP_GENERATED};
    made.fills = take_fills(exercise, NULL);
    made.size_count = exercise->generated_range_count;
    made.sizes = mem_calloc(made.size_count ? made.size_count : 1, sizeof *made.sizes);
    for (size_t i = 0; i < made.size_count; i++) {
        const struct exercise_range *range = &exercise->generated[i];
        struct random random;
        random_start(&random, seed,
                     (const char *const[]){exercise->id, made.name, "size", range->name, NULL});
        made.sizes[i].name = range->name;
        made.sizes[i].value = random_between(&random, range->low, range->high);
    }
    return made;
}

static struct plan_case make_speed(const struct exercise *exercise) {
    return (struct plan_case){.name = mem_strdup(case_group_names[GROUP_SPEED]),
                              .group = GROUP_SPEED,
                              .sizes =
                                  mem_dup(exercise->speed_sizes, exercise->speed_size_count *
                                                                     sizeof *exercise->speed_sizes),
                              .size_count = exercise->speed_size_count,
                              .fills = take_fills(exercise, exercise->speed_fills)};
}

static enum status fail_no_match(const struct exercise *exercise, const char *pattern,
                                 struct error *error) {
    cleanup_text struct text names = {0};
    for (size_t i = 0; i < exercise->case_count; i++)
        text_printf(&names, "%s%s", i ? ", " : "", exercise->cases[i].name);
    if (exercise->generated_count)
        text_printf(&names, "%sgenerated-1 ... generated-%u", names.length ? ", " : "",
                    exercise->generated_count);
    if (exercise->threshold_count)
        text_printf(&names, "%s%s", names.length ? ", " : "", case_group_names[GROUP_SPEED]);
    enum status status = error_set(error, STATUS_INVALID, "no case of %s matches \"%s\"",
                                   exercise->id, pattern ? pattern : "*");
    error_hint(error, "its cases are %s.", text_string(&names));
    return status;
}

enum status plan_make(const struct exercise *exercise, uint64_t seed, const char *pattern,
                      struct plan **out, struct error *error) {
    if (exercise->generated_count > MAX_GENERATED)
        return error_set(error, STATUS_INVALID, "%s asks for %u generated cases, at most %d",
                         exercise->id, exercise->generated_count, MAX_GENERATED);
    struct plan *plan = mem_zalloc(sizeof *plan);
    plan->exercise = exercise;
    plan->seed = seed;
    size_t capacity = exercise->case_count + exercise->generated_count + 1;
    plan->cases = mem_calloc(capacity, sizeof *plan->cases);
    for (size_t i = 0; i < exercise->case_count; i++) {
        const struct exercise_case *given = &exercise->cases[i];
        struct plan_case made = {.name = mem_strdup(given->name),
                                 .group = given->group,
                                 .essential = given->essential,
                                 .size_count = given->size_count,
                                 .fills = take_fills(exercise, given->fills)};
        made.sizes = mem_calloc(given->size_count ? given->size_count : 1, sizeof *made.sizes);
        for (size_t j = 0; j < given->size_count; j++)
            made.sizes[j] = given->sizes[j];
        append_case(plan, pattern, &made);
    }
    for (unsigned i = 1; i <= exercise->generated_count; i++) {
        struct plan_case made = make_generated(exercise, seed, i);
        append_case(plan, pattern, &made);
    }
    if (exercise->threshold_count) {
        struct plan_case made = make_speed(exercise);
        append_case(plan, pattern, &made);
    }
    if (plan->case_count == 0) {
        plan_free(plan);
        return fail_no_match(exercise, pattern, error);
    }
    if (resolve_fills(plan, error) != STATUS_OK) {
        plan_free(plan);
        return STATUS_INVALID;
    }
    *out = plan;
    return STATUS_OK;
}

void plan_free(struct plan *plan) {
    if (!plan)
        return;
    for (size_t i = 0; i < plan->case_count; i++)
        case_free(&plan->cases[i]);
    free(plan->cases);
    free(plan);
}

/* ---- launches ---------------------------------------------------------------------------- */

/* The names that expressions may use: the case's sizes, then the kernel's constants. */
struct plan_scope {
    struct expr_name names[MAX_NAMES];
    size_t count;
};

static enum status scope_fill(struct plan_scope *scope, const struct plan_case *the_case,
                              const struct expr_name *constants, size_t constant_count,
                              struct error *error) {
    if (the_case->size_count + constant_count > MAX_NAMES)
        return error_set(error, STATUS_INVALID, "more than %d sizes and constants", MAX_NAMES);
    for (size_t i = 0; i < the_case->size_count; i++)
        scope->names[scope->count++] =
            (struct expr_name){the_case->sizes[i].name, the_case->sizes[i].value};
    for (size_t i = 0; i < constant_count; i++)
        scope->names[scope->count++] = constants[i];
    return STATUS_OK;
}

/* Puts "launch.grid x = ceil_div(n, T): " before what the expression's evaluation said. */
static enum status evaluate(const struct expr *expression, const struct plan_scope *scope,
                            const char *what, int64_t *value, struct error *error) {
    struct error cause = {0};
    if (expr_evaluate(expression, scope->names, scope->count, value, &cause) == STATUS_OK)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID, "%s (%s): %s", what, expr_text(expression),
                     cause.message);
}

static enum status fail_launch(struct plan_launch *launch, struct error *error, const char *what,
                               const struct dim3 *size, const char *limit) {
    launch->illegal = true;
    enum status status = error_set(error, STATUS_INVALID, "a %s of (%u, %u, %u) cannot be launched",
                                   what, size->x, size->y, size->z);
    error_hint(error, "%s", limit);
    return status;
}

/* Clamps an evaluated extent into 32 bits for messages; what is out of range stays out of range. */
static uint32_t clamp_extent(int64_t value) {
    return value < 0 ? 0 : value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static enum status check_launch(struct plan_launch *launch, int64_t shared, struct error *error) {
    const struct dim3 *grid = &launch->grid, *block = &launch->block;
    if (!grid->x || !grid->y || !grid->z)
        return fail_launch(launch, error, "grid", grid, "Every extent must be at least 1.");
    if (grid->x > EXERCISE_MAX_GRID_X || grid->y > EXERCISE_MAX_GRID_YZ ||
        grid->z > EXERCISE_MAX_GRID_YZ)
        return fail_launch(launch, error, "grid", grid,
                           "A grid has at most 2147483647 blocks in x and 65535 in y and z.");
    if (!block->x || !block->y || !block->z)
        return fail_launch(launch, error, "block", block, "Every extent must be at least 1.");
    if (block->x > EXERCISE_MAX_BLOCK_X || block->y > EXERCISE_MAX_BLOCK_Y ||
        block->z > EXERCISE_MAX_BLOCK_Z)
        return fail_launch(launch, error, "block", block,
                           "A block has at most 1024 threads in x and y and 64 in z.");
    if (block->x * block->y * block->z > EXERCISE_MAX_BLOCK_THREADS)
        return fail_launch(launch, error, "block", block,
                           "A block has at most 1024 threads in total (x times y times z).");
    if (shared < 0 || shared > EXERCISE_MAX_SHARED_BYTES) {
        launch->illegal = true;
        enum status status =
            error_set(error, STATUS_INVALID,
                      "%" PRId64 " bytes of dynamic shared memory cannot be launched", shared);
        error_hint(error, "A block gets from 0 to %d bytes.", EXERCISE_MAX_SHARED_BYTES);
        return status;
    }
    launch->shared_bytes = (uint64_t)shared;
    return STATUS_OK;
}

static enum status bind_shape(const struct exercise_launch *shape, const struct plan_scope *scope,
                              struct plan_launch *launch, struct error *error) {
    static const char *const grid_names[] = {"grid x", "grid y", "grid z"};
    static const char *const block_names[] = {"block x", "block y", "block z"};
    int64_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, shared = 0;
    for (unsigned i = 0; i < 3; i++) {
        if (shape->grid[i] &&
            evaluate(shape->grid[i], scope, grid_names[i], &grid[i], error) != STATUS_OK)
            return STATUS_INVALID;
        if (shape->block[i] &&
            evaluate(shape->block[i], scope, block_names[i], &block[i], error) != STATUS_OK)
            return STATUS_INVALID;
    }
    if (shape->shared &&
        evaluate(shape->shared, scope, "shared memory", &shared, error) != STATUS_OK)
        return STATUS_INVALID;
    launch->grid =
        (struct dim3){clamp_extent(grid[0]), clamp_extent(grid[1]), clamp_extent(grid[2])};
    launch->block =
        (struct dim3){clamp_extent(block[0]), clamp_extent(block[1]), clamp_extent(block[2])};
    return check_launch(launch, shared, error);
}

/* Gives the argument its place in the data area. */
static enum status place_buffer(struct plan_launch *launch, struct engine_argument *argument,
                                uint64_t memory_limit_bytes, struct error *error) {
    uint64_t bytes, end;
    uint64_t start =
        (launch->data_length + PLAN_BUFFER_ALIGNMENT - 1) & ~(uint64_t)(PLAN_BUFFER_ALIGNMENT - 1);
    if (__builtin_mul_overflow(argument->count, element_infos[argument->type].bytes, &bytes) ||
        __builtin_add_overflow(start, bytes, &end) || end > memory_limit_bytes)
        return error_set(error, STATUS_INVALID,
                         "the buffers up to %s need more than the memory limit of %" PRIu64 " MiB",
                         argument->name, memory_limit_bytes >> 20);
    argument->data_offset = (size_t)start;
    launch->data_length = (size_t)end;
    return STATUS_OK;
}

static enum status bind_buffer(const struct exercise_param *param, const struct plan_scope *scope,
                               struct engine_argument *argument, struct error *error) {
    argument->is_buffer = true;
    argument->count = 1;
    argument->rank = param->rank;
    argument->read_only = param->role == ROLE_IN;
    argument->uninitialized = param->role == ROLE_OUT;
    for (unsigned i = 0; i < param->rank; i++) {
        int64_t extent;
        if (evaluate(param->shape[i], scope, param->name, &extent, error) != STATUS_OK)
            return STATUS_INVALID;
        argument->shape[i] = (uint64_t)extent;
        if (extent < 0 ||
            __builtin_mul_overflow(argument->count, (uint64_t)extent, &argument->count))
            return error_set(error, STATUS_INVALID,
                             "the shape of %s, %s = %" PRId64 ", is not possible", param->name,
                             expr_text(param->shape[i]), extent);
    }
    return STATUS_OK;
}

static enum status check_constant(const struct exercise_param *param,
                                  const struct engine_argument *argument, struct error *error) {
    uint64_t most = EXERCISE_MAX_CONSTANT_BYTES / element_infos[argument->type].bytes;
    if (!param->constant_memory || argument->count <= most)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "%s has %" PRIu64 " elements, and constant memory holds at most %" PRIu64,
                     param->name, argument->count, most);
}

static enum status bind_scalar(const struct plan *plan, const struct plan_case *the_case,
                               size_t index, struct engine_argument *argument,
                               struct error *error) {
    const struct exercise_param *param = &plan->exercise->params[index];
    if (param->role == ROLE_SCALAR) {
        struct random random;
        random_start(
            &random, plan->seed,
            (const char *const[]){plan->exercise->id, the_case->name, "data", param->name, NULL});
        const struct fill_place place = {.type = param->type,
                                         .count = 1,
                                         .sizes = the_case->sizes,
                                         .size_count = the_case->size_count};
        fill_write(&random, &the_case->fills[index], &place, &argument->scalar);
        return STATUS_OK;
    }
    for (size_t i = 0; i < the_case->size_count; i++)
        if (strcmp(the_case->sizes[i].name, param->name) == 0) {
            int64_t value = the_case->sizes[i].value, stored;
            element_from_double(param->type, &argument->scalar, 0, 0);
            memcpy(&argument->scalar, &value, element_infos[param->type].bytes);
            /* What the kernel will see must be the size itself. */
            double seen = element_to_double(param->type, &argument->scalar, 0);
            stored = element_infos[param->type].bytes == 8 ? value : (int64_t)seen;
            if (stored != value)
                return error_set(error, STATUS_INVALID,
                                 "the size %s = %" PRId64 " does not fit into its type %s",
                                 param->name, value, element_infos[param->type].name);
            return STATUS_OK;
        }
    return error_set(error, STATUS_INVALID, "the case %s has no size %s", the_case->name,
                     param->name);
}

/* The reference's extra arguments: sum|a_i b_i| for each output with tolerance dot, in order. */
static enum status bind_magnitudes(const struct exercise *exercise, uint64_t memory_limit_bytes,
                                   struct plan_launch *launch, struct error *error) {
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        launch->magnitudes[i] = SIZE_MAX;
        if (!exercise_param_is_output(param) || param->tolerance.kind != TOLERANCE_DOT)
            continue;
        if (launch->argument_count == ENGINE_MAX_ARGUMENTS)
            return error_set(error, STATUS_INVALID, "%s has more than %d arguments", exercise->id,
                             ENGINE_MAX_ARGUMENTS);
        launch->magnitudes[i] = launch->argument_count;
        struct engine_argument *argument = &launch->arguments[launch->argument_count++];
        *argument = launch->arguments[i];
        snprintf(argument->name, sizeof argument->name, "magnitude of %.48s", param->name);
        argument->type = ELEMENT_f64;
        argument->uninitialized = true;
        if (place_buffer(launch, argument, memory_limit_bytes, error) != STATUS_OK)
            return STATUS_INVALID;
    }
    return STATUS_OK;
}

static enum status bind_arguments(const struct plan *plan, const struct plan_case *the_case,
                                  enum plan_side side, const struct plan_scope *scope,
                                  uint64_t memory_limit_bytes, struct plan_launch *launch,
                                  struct error *error) {
    const struct exercise *exercise = plan->exercise;
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        struct engine_argument *argument = &launch->arguments[launch->argument_count++];
        snprintf(argument->name, sizeof argument->name, "%s", param->name);
        argument->type = param->type;
        if (param->role == ROLE_SIZE || param->role == ROLE_SCALAR) {
            if (bind_scalar(plan, the_case, i, argument, error) != STATUS_OK)
                return STATUS_INVALID;
            continue;
        }
        if (side == PLAN_REFERENCE && exercise_param_is_output(param) &&
            element_infos[param->type].is_float)
            argument->type = ELEMENT_f64;
        argument->constant = side == PLAN_SUBMISSION && param->constant_memory;
        if (bind_buffer(param, scope, argument, error) != STATUS_OK ||
            check_constant(param, argument, error) != STATUS_OK ||
            place_buffer(launch, argument, memory_limit_bytes, error) != STATUS_OK)
            return STATUS_INVALID;
        if (exercise_param_is_output(param) && param->tolerance.kind == TOLERANCE_DOT &&
            evaluate(param->tolerance.length, scope, "the tolerance's length", &launch->lengths[i],
                     error) != STATUS_OK)
            return STATUS_INVALID;
    }
    return side == PLAN_REFERENCE ? bind_magnitudes(exercise, memory_limit_bytes, launch, error)
                                  : STATUS_OK;
}

enum status plan_bind(const struct plan *plan, size_t case_index,
                      const struct exercise_launch *shape, enum plan_side side,
                      const struct expr_name *constants, size_t constant_count,
                      uint64_t memory_limit_bytes, struct plan_launch *launch,
                      struct error *error) {
    const struct plan_case *the_case = &plan->cases[case_index];
    size_t param_count = plan->exercise->param_count;
    *launch = (struct plan_launch){0};
    if (param_count > ENGINE_MAX_ARGUMENTS)
        return error_set(error, STATUS_INVALID, "%s has more than %d params", plan->exercise->id,
                         ENGINE_MAX_ARGUMENTS);
    launch->arguments = mem_calloc(ENGINE_MAX_ARGUMENTS, sizeof *launch->arguments);
    launch->magnitudes = mem_calloc(param_count + 1, sizeof *launch->magnitudes);
    launch->lengths = mem_calloc(param_count + 1, sizeof *launch->lengths);
    struct plan_scope scope = {.count = 0};
    enum status status = scope_fill(&scope, the_case, constants, constant_count, error);
    if (status == STATUS_OK)
        status = bind_shape(shape, &scope, launch, error);
    if (status == STATUS_OK)
        status = bind_arguments(plan, the_case, side, &scope, memory_limit_bytes, launch, error);
    if (status != STATUS_OK) {
        bool illegal = launch->illegal;
        plan_launch_free(launch);
        launch->illegal = illegal;
    }
    return status;
}

struct engine_launch plan_engine_launch(const struct plan_launch *launch, void *data) {
    return (struct engine_launch){.grid = launch->grid,
                                  .block = launch->block,
                                  .shared_bytes = launch->shared_bytes,
                                  .arguments = launch->arguments,
                                  .argument_count = launch->argument_count,
                                  .data = data,
                                  .data_length = launch->data_length};
}

void plan_launch_free(struct plan_launch *launch) {
    free(launch->arguments);
    free(launch->magnitudes);
    free(launch->lengths);
    *launch = (struct plan_launch){0};
}

/* ---- data -------------------------------------------------------------------------------- */

static void poison(enum element_type type, uint64_t pattern, char *data, uint64_t count) {
    unsigned bytes = element_infos[type].bytes;
    for (uint64_t i = 0; i < count; i++)
        memcpy(data + i * bytes, &pattern, bytes);
}

static bool is_poisoned(const struct plan *plan, enum plan_side side, size_t index) {
    bool is_magnitude = side == PLAN_REFERENCE && index >= plan->exercise->param_count;
    return is_magnitude || plan->exercise->params[index].role == ROLE_OUT;
}

/* The values are drawn in the param's own type also where the reference takes doubles, so that
 * both kernels start from the same numbers. */
static void fill_input(const struct plan *plan, const struct plan_case *the_case, size_t index,
                       const struct engine_argument *argument, char *data) {
    const struct exercise_param *param = &plan->exercise->params[index];
    const struct exercise_fill *fill = &the_case->fills[index];
    const struct fill_place place = {.type = param->type,
                                     .shape = argument->shape,
                                     .rank = argument->rank,
                                     .count = argument->count,
                                     .sizes = the_case->sizes,
                                     .size_count = the_case->size_count};
    struct random random;
    random_start(
        &random, plan->seed,
        (const char *const[]){plan->exercise->id, the_case->name, "data", param->name, NULL});
    if (argument->type == param->type) {
        fill_write(&random, fill, &place, data);
        return;
    }
    cleanup_free char *narrow =
        mem_calloc(argument->count ? argument->count : 1, element_infos[param->type].bytes);
    fill_write(&random, fill, &place, narrow);
    for (uint64_t i = 0; i < argument->count; i++)
        element_from_double(argument->type, data, i, element_to_double(param->type, narrow, i));
}

void plan_fill_buffer(const struct plan *plan, size_t case_index, enum plan_side side,
                      const struct plan_launch *launch, size_t index, void *at) {
    const struct engine_argument *argument = &launch->arguments[index];
    if (is_poisoned(plan, side, index))
        poison(argument->type, plan_poison(argument->type), at, argument->count);
    else
        fill_input(plan, &plan->cases[case_index], index, argument, at);
}

void plan_fill(const struct plan *plan, size_t case_index, enum plan_side side,
               const struct plan_launch *launch, void *data) {
    memset(data, 0, launch->data_length);
    for (size_t i = 0; i < launch->argument_count; i++)
        if (launch->arguments[i].is_buffer)
            plan_fill_buffer(plan, case_index, side, launch, i,
                             (char *)data + launch->arguments[i].data_offset);
}

void plan_fill_other_poison(const struct plan *plan, enum plan_side side,
                            const struct plan_launch *launch, void *data) {
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct engine_argument *argument = &launch->arguments[i];
        if (argument->is_buffer && is_poisoned(plan, side, i))
            poison(argument->type, plan_other_poison(argument->type),
                   (char *)data + argument->data_offset, argument->count);
    }
}

uint64_t plan_schedule_seed(const struct plan *plan, size_t case_index) {
    struct random random;
    random_start(
        &random, plan->seed,
        (const char *const[]){plan->exercise->id, plan->cases[case_index].name, "schedule", NULL});
    return random_word(&random);
}
