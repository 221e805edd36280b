/* Whether the parts of an exercise fit together.
 *
 * exercise.def says what each key may hold; here are the rules that take more than one key: roles
 * and what they need, names in expressions, extents and launches of every case (evaluated with the
 * constants' defaults), groups and points, files. An exercise that passes can be graded; whether it
 * judges well is for `warpgrade validate`. */
#include "grader/exercise/exercise_check.h"

#include "grader/exercise/baseline.h"
#include "grader/exercise/exercise_schema.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 64, MAX_BLOCK_THREADS = 1024, MAX_SHARED_BYTES = 227 << 10 };

/* The names and values that expressions see in one case. */
struct scope {
    const char *label; /* "the case tiny" */
    struct expr_name names[MAX_NAMES];
    size_t count;
};

static bool is_judged(const struct exercise_param *param) {
    return (param->role == ROLE_OUT || param->role == ROLE_INOUT) &&
           param->tolerance.kind != TOLERANCE_NONE;
}

/* The values that an integer type holds, as doubles. */
static void type_range(enum element_type type, double *low, double *high) {
    const struct element_info *info = &element_infos[type];
    int bits = (int)info->bytes * 8;
    *low = info->is_signed ? -ldexp(1, bits - 1) : 0;
    *high = ldexp(1, info->is_signed ? bits - 1 : bits) - 1;
}

/* Which of the optional keys a role needs (1), allows (0) or refuses (-1). */
static const struct role_rule {
    int shape, fill, tolerance;
} role_rules[] = {
    [ROLE_IN] = {1, 0, -1},     [ROLE_OUT] = {1, -1, 1},     [ROLE_INOUT] = {1, 0, 1},
    [ROLE_SIZE] = {-1, -1, -1}, [ROLE_SCALAR] = {-1, 0, -1},
};

static enum status check_role_key(const struct check *check, const struct yaml_node *node,
                                  const char *key, int rule) {
    const struct yaml_node *value = yaml_get(node, key);
    const char *name = yaml_get(node, "name")->text, *role = yaml_get(node, "role")->text;
    if (rule > 0 && !value) {
        enum status status =
            FAIL(check, node, "%s: a parameter of role %s needs the key %s", name, role, key);
        error_hint(
            check->error, "for example %s",
            strcmp(key, "shape") == 0
                ? "shape: [n], or shape: [rows, columns]"
                : "tolerance: exact, tolerance: {ulp: 2}, tolerance: {dot: {length: n}} for a sum "
                  "of n products, or tolerance: {rel: 1e-5, abs: 1e-6}");
        return status;
    }
    if (rule < 0 && value)
        return FAIL(check, value, "%s: a parameter of role %s has no %s", name, role, key);
    return STATUS_OK;
}

/* A bound that the right result, rounded to the type, may miss judges nobody. */
static enum status check_near(const struct check *check, const struct yaml_node *node,
                              const struct exercise_param *param) {
    const struct exercise_tolerance *tolerance = &param->tolerance;
    const struct yaml_node *rel = yaml_get(node, "rel");
    double least = element_roundoff(param->type);
    enum status status = STATUS_OK;
    if (tolerance->relative == 0 && tolerance->absolute == 0) {
        status = FAIL(check, node, "%s: a tolerance of 0", param->name);
        error_hint(check->error, "write tolerance: exact, which accepts what is rounded once");
    } else if (rel && tolerance->relative < least && tolerance->absolute == 0) {
        status = FAIL(check, rel, "%s: the right result rounded to %s may be off by %s of it",
                      param->name, element_infos[param->type].name, decimal(least, 3).text);
        error_hint(check->error, "write tolerance: exact, or tolerance: {ulp: 1}");
    }
    return status;
}

static enum status check_param(const struct check *check, const struct yaml_node *node,
                               const struct exercise_param *param) {
    const struct role_rule *rule = &role_rules[param->role];
    const struct element_info *type = &element_infos[param->type];
    const struct yaml_node *fill = yaml_get(node, "fill");
    enum status status = check_role_key(check, node, "shape", rule->shape);
    if (status == STATUS_OK)
        status = check_role_key(check, node, "fill", rule->fill);
    if (status == STATUS_OK)
        status = check_role_key(check, node, "tolerance", rule->tolerance);
    if (status != STATUS_OK)
        return status;
    if (param->constant_memory && param->role != ROLE_IN)
        return FAIL(check, yaml_get(node, "constant_memory"),
                    "%s: only a parameter of role in can be in constant memory", param->name);
    if (param->role == ROLE_SIZE && (type->is_float || type->bytes < 4))
        return FAIL(check, yaml_get(node, "type"),
                    "%s: a size is one of i32, u32, i64 and u64, not %s", param->name, type->name);
    if (param->tolerance.kind == TOLERANCE_NONE && param->role != ROLE_INOUT)
        return FAIL(check, yaml_get(node, "tolerance"),
                    "%s: only a buffer of role inout is scratch space", param->name);
    if (rule->tolerance > 0 && !type->is_float && param->tolerance.kind != TOLERANCE_EXACT &&
        param->tolerance.kind != TOLERANCE_NONE)
        return FAIL(check, yaml_get(node, "tolerance"), "%s: integers are compared exactly",
                    param->name);
    if (param->tolerance.kind == TOLERANCE_NEAR)
        status = check_near(check, yaml_get(node, "tolerance"), param);
    if (status != STATUS_OK)
        return status;
    if (rule->fill >= 0 && !fill && !type->is_float)
        return FAIL(check, node, "%s: integers need the key fill", param->name);
    return STATUS_OK;
}

/* Parameters and constants share one space of names: expressions see both. */
static enum status check_unique(const struct check *check, const struct yaml_node *node,
                                const char **names, size_t *count) {
    const struct yaml_node *name = yaml_get(node, "name");
    for (size_t i = 0; i < *count; i++)
        if (strcmp(names[i], name->text) == 0)
            return FAIL(check, name, "the name %s is here twice", name->text);
    names[(*count)++] = name->text;
    return STATUS_OK;
}

static enum status check_constant(const struct check *check, const struct yaml_node *node,
                                  const struct exercise_constant *constant) {
    if (constant->minimum > constant->maximum)
        return FAIL(check, node, "%s: min is above max", constant->name);
    if (constant->fallback < constant->minimum || constant->fallback > constant->maximum)
        return FAIL(check, yaml_get(node, "default"), "%s: the default is not between min and max",
                    constant->name);
    int64_t value = constant->fallback;
    if (constant->power_of_two && (value <= 0 || (value & (value - 1)) != 0))
        return FAIL(check, yaml_get(node, "default"), "%s: the default is no power of two",
                    constant->name);
    return STATUS_OK;
}

static enum status check_declarations(const struct check *check) {
    const struct exercise *exercise = check->exercise;
    const struct yaml_node *params = root_get(check, "params");
    const struct yaml_node *constants = root_get(check, "constants");
    const char *names[MAX_NAMES];
    size_t count = 0, outputs = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < exercise->param_count && status == STATUS_OK; i++) {
        outputs += is_judged(&exercise->params[i]);
        status = check_unique(check, params->items[i], names, &count);
        if (status == STATUS_OK)
            status = check_param(check, params->items[i], &exercise->params[i]);
    }
    for (size_t i = 0; i < exercise->constant_count && status == STATUS_OK; i++) {
        status = check_unique(check, constants->items[i], names, &count);
        if (status == STATUS_OK)
            status = check_constant(check, constants->items[i], &exercise->constants[i]);
    }
    if (status == STATUS_OK && outputs == 0)
        return FAIL(check, params,
                    "no parameter of role out or inout is compared: nothing is judged");
    return status;
}

static void scope_add(struct scope *scope, const char *name, int64_t value) {
    scope->names[scope->count++] = (struct expr_name){name, value};
}

static void scope_add_constants(struct scope *scope, const struct exercise *exercise) {
    for (size_t i = 0; i < exercise->constant_count; i++)
        scope_add(scope, exercise->constants[i].name, exercise->constants[i].fallback);
}

struct name_search {
    const struct scope *scope;
    const char *unknown;
    unsigned column;
};

static void find_unknown(const char *name, unsigned column, void *context) {
    struct name_search *search = context;
    for (size_t i = 0; i < search->scope->count; i++)
        if (strcmp(search->scope->names[i].name, name) == 0)
            return;
    if (!search->unknown) {
        search->unknown = name;
        search->column = column;
    }
}

static enum status check_expr_names(const struct check *check, const struct yaml_node *node,
                                    const struct expr *expr, const struct scope *scope) {
    struct name_search search = {.scope = scope};
    expr_visit_names(expr, find_unknown, &search);
    if (!search.unknown)
        return STATUS_OK;
    const char *names[MAX_NAMES];
    for (size_t i = 0; i < scope->count; i++)
        names[i] = scope->names[i].name;
    error_set(check->error, STATUS_INVALID, "%s is neither a size nor a constant", search.unknown);
    if (check->error)
        check->error->column = search.column;
    const char *closest = text_closest(search.unknown, names, scope->count);
    if (closest)
        error_hint(check->error, "did you mean %s?", closest);
    schema_place_expression(check->document, node, check->error);
    return STATUS_INVALID;
}

/* Evaluates; `node` is NULL for an extent that the file leaves to its default. */
static enum status check_expr(const struct check *check, const struct yaml_node *node,
                              const struct expr *expr, const struct scope *scope, int64_t minimum,
                              int64_t maximum, int64_t *value) {
    *value = 1;
    if (!node)
        return STATUS_OK;
    enum status status = check_expr_names(check, node, expr, scope);
    if (status != STATUS_OK)
        return status;
    struct error inner;
    if (expr_evaluate(expr, scope->names, scope->count, value, &inner) != STATUS_OK) {
        error_set(check->error, STATUS_INVALID, "in %s: %.800s", scope->label, inner.message);
        if (check->error)
            check->error->column = inner.column;
        schema_place_expression(check->document, node, check->error);
        return STATUS_INVALID;
    }
    if (*value < minimum || *value > maximum)
        return FAIL(check, node,
                    "in %s this is %" PRId64 "; it must be from %" PRId64 " to %" PRId64,
                    scope->label, *value, minimum, maximum);
    return STATUS_OK;
}

static const struct yaml_node *item_at(const struct yaml_node *list, size_t index) {
    return list && index < list->count ? list->items[index] : NULL;
}

static enum status check_launch(const struct check *check, const struct yaml_node *node,
                                const struct exercise_launch *launch, const struct scope *scope) {
    static const int64_t grid_limits[] = {INT32_MAX, 65535, 65535};
    static const int64_t block_limits[] = {1024, 1024, 64};
    int64_t threads = 1, value;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < 3 && status == STATUS_OK; i++) {
        status = check_expr(check, item_at(yaml_get(node, "grid"), i), launch->grid[i], scope, 1,
                            grid_limits[i], &value);
        if (status != STATUS_OK)
            break;
        status = check_expr(check, item_at(yaml_get(node, "block"), i), launch->block[i], scope, 1,
                            block_limits[i], &value);
        threads *= value;
    }
    if (status == STATUS_OK)
        status = check_expr(check, yaml_get(node, "shared"), launch->shared, scope, 0,
                            MAX_SHARED_BYTES, &value);
    if (status == STATUS_OK && threads > MAX_BLOCK_THREADS)
        return FAIL(check, yaml_get(node, "block"),
                    "in %s a block has %" PRId64 " threads; a GPU takes at most %d", scope->label,
                    threads, MAX_BLOCK_THREADS);
    return status;
}

static enum status check_shapes(const struct check *check, const struct scope *scope) {
    const struct exercise *exercise = check->exercise;
    const struct yaml_node *params = root_get(check, "params");
    uint64_t total = 0;
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        const struct yaml_node *shape = yaml_get(params->items[i], "shape");
        uint64_t bytes = element_infos[param->type].bytes;
        for (unsigned j = 0; j < param->rank; j++) {
            int64_t extent;
            enum status status = check_expr(check, shape->items[j], param->shape[j], scope, 0,
                                            INT64_C(1) << 40, &extent);
            if (status != STATUS_OK)
                return status;
            if (__builtin_mul_overflow(bytes, (uint64_t)extent, &bytes))
                bytes = UINT64_MAX;
        }
        if (param->constant_memory && bytes > EXERCISE_MAX_CONSTANT_BYTES)
            return FAIL(check, shape, "in %s %s takes %" PRIu64 " bytes; constant memory holds %d",
                        scope->label, param->name, bytes, EXERCISE_MAX_CONSTANT_BYTES);
        if (exercise_param_is_buffer(param) && __builtin_add_overflow(total, bytes, &total))
            total = UINT64_MAX;
        if (total > exercise->memory_limit_bytes)
            return FAIL(check, shape,
                        "in %s the buffers take more than the memory limit of %" PRIu64 " MiB",
                        scope->label, exercise->memory_limit_bytes >> 20);
    }
    return STATUS_OK;
}

static enum status check_lengths(const struct check *check, const struct scope *scope) {
    const struct exercise *exercise = check->exercise;
    const struct yaml_node *params = root_get(check, "params");
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct yaml_node *tolerance = yaml_get(params->items[i], "tolerance");
        const struct expr *length = exercise->params[i].tolerance.length;
        int64_t value;
        enum status status = length
                                 ? check_expr(check, yaml_get(yaml_get(tolerance, "dot"), "length"),
                                              length, scope, 0, INT64_C(1) << 40, &value)
                                 : STATUS_OK;
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* All expressions in one case. */
static enum status check_scope(const struct check *check, const struct scope *scope) {
    const struct exercise *exercise = check->exercise;
    const struct yaml_node *launch = root_get(check, "launch");
    const struct yaml_node *reference = yaml_get(root_get(check, "reference"), "launch");
    const struct yaml_node *tuned = yaml_get(root_get(check, "tuned"), "launch");
    enum status status = check_shapes(check, scope);
    if (status == STATUS_OK)
        status = check_lengths(check, scope);
    if (status == STATUS_OK)
        status = check_launch(check, launch, &exercise->launch, scope);
    if (status == STATUS_OK && reference)
        status = check_launch(check, reference, &exercise->reference.launch, scope);
    if (status == STATUS_OK && tuned)
        status = check_launch(check, tuned, &exercise->tuned.launch, scope);
    return status;
}

static enum status check_size_value(const struct check *check, const struct yaml_node *node,
                                    const char *name, int64_t value) {
    const struct exercise *exercise = check->exercise;
    for (size_t i = 0; i < exercise->param_count; i++) {
        double low, high;
        if (strcmp(exercise->params[i].name, name) != 0)
            continue;
        type_range(exercise->params[i].type, &low, &high);
        if ((double)value > high)
            return FAIL(check, node, "%s: %" PRId64 " does not fit in its type %s", name, value,
                        element_infos[exercise->params[i].type].name);
    }
    return STATUS_OK;
}

static enum status check_sizes(const struct check *check, const struct yaml_node *node,
                               const char *label, const struct exercise_size *sizes, size_t count) {
    struct scope scope = {.label = label};
    for (size_t i = 0; i < count; i++) {
        enum status status =
            check_size_value(check, yaml_get(node, sizes[i].name), sizes[i].name, sizes[i].value);
        if (status != STATUS_OK)
            return status;
        scope_add(&scope, sizes[i].name, sizes[i].value);
    }
    scope_add_constants(&scope, check->exercise);
    return check_scope(check, &scope);
}

static enum status check_case(const struct check *check, const struct yaml_node *node,
                              const struct exercise_case *entry) {
    cleanup_free char *label = mem_printf("the case %s", entry->name);
    return check_sizes(check, yaml_get(node, "sizes"), label, entry->sizes, entry->size_count);
}

static enum status check_case_name(const struct check *check, const struct yaml_node *node,
                                   size_t index) {
    const struct yaml_node *name = yaml_get(node, "name");
    for (size_t i = 0; i < index; i++)
        if (strcmp(check->exercise->cases[i].name, name->text) == 0)
            return FAIL(check, name, "there are two cases named %s", name->text);
    if (strncmp(name->text, "generated-", 10) == 0 || strcmp(name->text, "speed") == 0)
        return FAIL(check, name, "the name %s is taken by warpgrade's own cases", name->text);
    return STATUS_OK;
}

/* Generated sizes lie in a box: its smallest and its largest corner must both be launchable. */
static enum status check_generated(const struct check *check) {
    const struct exercise *exercise = check->exercise;
    const struct yaml_node *node =
        yaml_get(yaml_get(root_get(check, "cases"), "generated"), "sizes");
    for (unsigned high = 0; high < 2 && exercise->generated_count; high++) {
        struct scope scope = {.label = high ? "the largest generated case"
                                            : "the smallest generated case"};
        for (size_t i = 0; i < exercise->generated_range_count; i++) {
            const struct exercise_range *range = &exercise->generated[i];
            int64_t value = high ? range->high : range->low;
            enum status status =
                check_size_value(check, yaml_get(node, range->name), range->name, value);
            if (status != STATUS_OK)
                return status;
            scope_add(&scope, range->name, value);
        }
        scope_add_constants(&scope, exercise);
        enum status status = check_scope(check, &scope);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status check_cases(const struct check *check) {
    const struct exercise *exercise = check->exercise;
    const struct yaml_node *cases = root_get(check, "cases");
    size_t index_in_group[GROUP_COUNT] = {0};
    for (size_t i = 0; i < exercise->case_count; i++) {
        enum case_group group = exercise->cases[i].group;
        const struct yaml_node *node =
            yaml_get(cases, case_group_names[group])->items[index_in_group[group]++];
        enum status status = check_case_name(check, node, i);
        if (status == STATUS_OK)
            status = check_case(check, node, &exercise->cases[i]);
        if (status != STATUS_OK)
            return status;
    }
    return check_generated(check);
}

/* What a GPU is asked: at sizes of its own, where the file gives them. */
static enum status check_measured(const struct check *check, const struct yaml_node *speed) {
    const struct exercise *exercise = check->exercise;
    const struct exercise_measured *measured = &exercise->measured;
    const struct yaml_node *sizes = yaml_get(speed, "measured_sizes");
    struct scope scope = {.label = "the measured speed case"};
    struct error cause = {0};
    struct baseline_sizes fitting;
    int64_t value;
    enum status status = check_sizes(check, sizes ? sizes : yaml_get(speed, "sizes"), scope.label,
                                     measured->sizes, measured->size_count);
    for (size_t i = 0; i < measured->size_count; i++)
        scope_add(&scope, measured->sizes[i].name, measured->sizes[i].value);
    scope_add_constants(&scope, exercise);
    if (status == STATUS_OK)
        status = check_expr(check, yaml_get(speed, "bytes"), measured->bytes, &scope, 0, INT64_MAX,
                            &value);
    if (status == STATUS_OK)
        status = check_expr(check, yaml_get(speed, "flops"), measured->flops, &scope, 0, INT64_MAX,
                            &value);
    if (status == STATUS_OK && measured->baseline.routine &&
        baseline_measure(exercise, scope.names, scope.count, &fitting, &cause) != STATUS_OK)
        return FAIL(check, yaml_get(speed, "baseline"), "%s", cause.message);
    return status;
}

static enum status check_speed(const struct check *check) {
    const struct exercise *exercise = check->exercise;
    const struct yaml_node *speed = root_get(check, "speed");
    enum status status = STATUS_OK;
    if (speed)
        status = check_sizes(check, yaml_get(speed, "sizes"), "the speed case",
                             exercise->speed_sizes, exercise->speed_size_count);
    const struct yaml_node *modelled = speed ? yaml_get(speed, "modelled_sizes") : NULL;
    if (status == STATUS_OK && modelled)
        status = check_sizes(check, modelled, "the modelled speed case", exercise->modelled_sizes,
                             exercise->modelled_size_count);
    if (status == STATUS_OK && speed)
        status = check_measured(check, speed);
    return status == STATUS_OK ? exercise_check_speed(check->document, exercise, check->error)
                               : status;
}

static enum status check_fills(const struct check *check) {
    return exercise_check_fills(check->document, check->exercise, check->error);
}

static enum status check_groups(const struct check *check) {
    const struct exercise *exercise = check->exercise;
    const struct yaml_node *scoring = root_get(check, "scoring");
    const struct yaml_node *groups = yaml_get(scoring, "groups");
    size_t cases[GROUP_COUNT] = {[GROUP_GENERATED] = exercise->generated_count};
    for (size_t i = 0; i < exercise->case_count; i++)
        cases[exercise->cases[i].group]++;
    for (size_t i = 0; i < GROUP_SPEED; i++) {
        if (cases[i] && exercise->points[i] <= 0)
            return FAIL(check, groups, "the group %s has cases, but no points",
                        case_group_names[i]);
        if (!cases[i] && exercise->points[i] > 0)
            return FAIL(check, yaml_get(groups, case_group_names[i]),
                        "the group %s has points, but no cases", case_group_names[i]);
    }
    return STATUS_OK;
}

static enum status check_gates(const struct check *check) {
    const struct exercise *exercise = check->exercise;
    const struct yaml_node *gates = yaml_get(root_get(check, "scoring"), "gates");
    size_t given = gates ? gates->count : 0; /* the others are defaults */
    for (size_t i = 0; i < given; i++) {
        const struct yaml_node *node = gates->items[i];
        const struct yaml_node *unless = yaml_get(node, "unless"), *when = yaml_get(node, "when");
        if (!unless == !when)
            return FAIL(check, node, "a gate has either the key unless or the key when");
        enum gate_condition condition = exercise->gates[i].condition;
        if (condition < GATE_GROUPS && exercise->points[condition] <= 0)
            return FAIL(check, unless, "the group %s has no points", unless->text);
        if (condition == GATE_ESSENTIAL && !exercise_has_essential_case(exercise)) {
            enum status status = FAIL(check, unless, "no case is essential");
            error_hint(check->error, "write essential: true in the cases that this gate is about");
            return status;
        }
        for (size_t j = 0; j < i; j++)
            if (exercise->gates[j].condition == condition)
                return FAIL(check, node, "there are two gates with %s: %s",
                            unless ? "unless" : "when", (unless ? unless : when)->text);
    }
    return STATUS_OK;
}

static enum status check_wrong_code(const struct check *check) {
    return exercise_check_wrong_code(check->document, check->exercise, check->error);
}

static enum status check_files(const struct check *check) {
    const struct exercise *exercise = check->exercise;
    const char *const files[] = {exercise->skeleton, exercise->reference.file,
                                 exercise->tuned.file};
    size_t count = exercise->has_reference ? ARRAY_LENGTH(files) : 1;
    for (size_t i = 0; i < count; i++)
        if (!file_exists(files[i]))
            return FAIL(check, NULL, "the exercise needs a file %s", files[i]);
    return STATUS_OK;
}

enum status exercise_check(const struct yaml_document *document, const struct exercise *exercise,
                           struct error *error) {
    static enum status (*const steps[])(const struct check *check) = {
        check_declarations, check_cases, check_speed,      check_fills,
        check_groups,       check_gates, check_wrong_code, check_files,
    };
    const struct check check = {document, exercise, error};
    cleanup_free char *folder = mem_strdup(exercise->directory);
    for (size_t length = strlen(folder); length > 1 && folder[length - 1] == '/'; length--)
        folder[length - 1] = '\0';
    if (strcmp(file_base_name(folder), exercise->id) != 0)
        return FAIL(&check, yaml_get(document->root, "id"),
                    "the id is %s, but the folder is %s: they must be the same", exercise->id,
                    file_base_name(folder));
    for (size_t i = 0; i < ARRAY_LENGTH(steps); i++) {
        enum status status = steps[i](&check);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
