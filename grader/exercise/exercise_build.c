/* From a checked tree to struct exercise.
 *
 * The form was checked against exercise.def, so a value is read here without asking again whether
 * it is one; what is not given takes the default that the table states. Names are resolved here:
 * the sizes of a case become one value for each size parameter, in the parameters' order. */
#include "grader/exercise/exercise_parts.h"

#include "grader/exercise/baseline.h"
#include "grader/exercise/exercise_schema.h"
#include "grader/exercise/fill_rule.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    const struct yaml_document *document;
    const char *reference_directory;
    struct exercise *exercise;
    struct error *error;
};

static const char *text_of(const struct yaml_node *mapping, enum schema_object object,
                           const char *key) {
    const struct yaml_node *node = yaml_get(mapping, key);
    return node ? node->text : schema_key_find(object, key)->fallback;
}

static double number_of(const struct builder *builder, const struct yaml_node *mapping,
                        enum schema_object object, const char *key) {
    const struct yaml_node *node = yaml_get(mapping, key);
    double value = strtod(schema_key_find(object, key)->fallback, NULL);
    if (node)
        yaml_number(builder->document, node, key, -1e308, 1e308, &value, NULL);
    return value;
}

static int64_t integer_value(const struct builder *builder, const struct yaml_node *node) {
    int64_t value = 0;
    yaml_integer(builder->document, node, "", INT64_MIN, INT64_MAX, &value, NULL);
    return value;
}

static int64_t integer_of(const struct builder *builder, const struct yaml_node *mapping,
                          enum schema_object object, const char *key) {
    const struct yaml_node *node = yaml_get(mapping, key);
    return node ? integer_value(builder, node)
                : strtoll(schema_key_find(object, key)->fallback, NULL, 10);
}

/* The place of a word in its list, which is the enum's value. */
static size_t word_index(enum schema_choice choice, const char *word) {
    const struct schema_words *words = &schema_choices[choice];
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->names[i], word) == 0)
            return i;
    return 0;
}

static size_t word_of(const struct yaml_node *mapping, enum schema_object object, const char *key) {
    return word_index(schema_key_find(object, key)->choice, text_of(mapping, object, key));
}

static size_t count_of(const struct yaml_node *node) {
    return node ? node->count : 0;
}

void exercise_build_localized(const struct yaml_node *node, char *text[LANGUAGE_COUNT]) {
    const struct yaml_node *en = yaml_get(node, "en"), *zh = yaml_get(node, "zh");
    text[LANGUAGE_EN] = mem_strdup(en->text);
    text[LANGUAGE_ZH] = mem_strdup(zh ? zh->text : en->text);
}

static struct expr *build_expr(const struct yaml_node *node, const char *fallback) {
    struct expr *expr = NULL;
    expr_parse(node ? node->text : fallback, &expr, NULL); /* parsed before, by schema_check() */
    return expr;
}

static void note_name(const char *name, unsigned column, void *context) {
    (void)name;
    (void)column;
    *(bool *)context = true;
}

static bool has_no_names(const struct expr *expr) {
    bool found = false;
    expr_visit_names(expr, note_name, &found);
    return !found;
}

/* The exercise keeps the expression, so that every copy of the fill may point to it. */
static const struct expr *keep_expr(const struct builder *builder, struct expr *expr) {
    struct exercise *exercise = builder->exercise;
    *mem_push(&exercise->fill_exprs, &exercise->fill_expr_count, &exercise->fill_expr_capacity) =
        expr;
    return expr;
}

static struct expr *build_real(const struct yaml_node *node) {
    struct expr *expr = NULL;
    expr_parse_real(node->text, &expr, NULL); /* parsed before, by schema_check() */
    return expr;
}

/* A plain number is evaluated here; an expression when there are sizes. */
static const struct expr *build_bound(const struct builder *builder, const struct yaml_node *node,
                                      enum fill_kind kind, double *number) {
    struct expr *expr = kind == FILL_SORTED ? build_real(node) : build_expr(node, "");
    const struct exercise_fill bound = {.kind = kind, .low_expr = expr};
    struct exercise_fill resolved;
    const struct expr *culprit;
    if (!has_no_names(expr) ||
        fill_resolve(&bound, NULL, 0, &resolved, &culprit, NULL) != STATUS_OK)
        return keep_expr(builder, expr);
    *number = resolved.low;
    expr_free(expr);
    return NULL;
}

static struct exercise_fill build_fill(const struct builder *builder,
                                       const struct yaml_node *node) {
    struct exercise_fill fill = {.kind = FILL_UNIFORM, .low = -1, .high = 1};
    if (!node)
        return fill;
    if (node->kind == YAML_SCALAR) {
        static const enum fill_kind kinds[] = {FILL_ZERO, FILL_IOTA, FILL_UNIFORM,
                                               FILL_PERMUTATION};
        fill.kind = kinds[word_index(CHOICE_fills, node->text)];
        if (fill.kind != FILL_UNIFORM)
            fill.low = fill.high = 0;
        return fill;
    }
    static const struct {
        const char *key;
        enum fill_kind kind;
    } keys[] = {{"uniform", FILL_UNIFORM}, {"integers", FILL_INTEGERS}, {"constant", FILL_CONSTANT},
                {"formula", FILL_FORMULA}, {"sorted", FILL_SORTED},     {"offsets", FILL_OFFSETS}};
    const char *key = node->keys[0]->text;
    const struct yaml_node *value = node->items[0];
    fill = (struct exercise_fill){0};
    for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
        if (strcmp(key, keys[i].key) == 0)
            fill.kind = keys[i].kind;
    switch (fill.kind) {
    case FILL_UNIFORM:
        yaml_number(builder->document, value->items[0], key, -1e300, 1e300, &fill.low, NULL);
        yaml_number(builder->document, value->items[1], key, -1e300, 1e300, &fill.high, NULL);
        break;
    case FILL_INTEGERS:
    case FILL_SORTED:
        fill.low_expr = build_bound(builder, value->items[0], fill.kind, &fill.low);
        fill.high_expr = build_bound(builder, value->items[1], fill.kind, &fill.high);
        break;
    case FILL_OFFSETS:
        fill.high_expr = build_bound(builder, value, fill.kind, &fill.high);
        break;
    case FILL_FORMULA:
        fill.formula = keep_expr(builder, build_real(value));
        break;
    default: /* a constant */
        fill.low = fill.high = number_of(builder, node, SCHEMA_fill, "constant");
        break;
    }
    return fill;
}

static struct exercise_tolerance build_tolerance(const struct builder *builder,
                                                 const struct yaml_node *node) {
    struct exercise_tolerance tolerance = {.kind = TOLERANCE_EXACT};
    const struct yaml_node *dot = node ? yaml_get(node, "dot") : NULL;
    if (dot) {
        tolerance.kind = TOLERANCE_DOT;
        tolerance.length = build_expr(yaml_get(dot, "length"), "");
        tolerance.factor = number_of(builder, dot, SCHEMA_dot, "factor");
    } else if (node && yaml_get(node, "ulp")) {
        tolerance.kind = TOLERANCE_ULP;
        tolerance.ulp = number_of(builder, node, SCHEMA_tolerance, "ulp");
    } else if (node && (yaml_get(node, "rel") || yaml_get(node, "abs"))) {
        tolerance.kind = TOLERANCE_NEAR;
        tolerance.relative = number_of(builder, node, SCHEMA_tolerance, "rel");
        tolerance.absolute = number_of(builder, node, SCHEMA_tolerance, "abs");
    } else if (node && node->kind == YAML_SCALAR) {
        static const enum tolerance_kind kinds[] = {TOLERANCE_EXACT, TOLERANCE_NONE};
        tolerance.kind = kinds[word_index(CHOICE_tolerances, node->text)];
    }
    return tolerance;
}

static void build_params(const struct builder *builder, const struct yaml_node *list) {
    struct exercise *exercise = builder->exercise;
    exercise->param_count = list->count;
    exercise->params = mem_calloc(list->count, sizeof *exercise->params);
    for (size_t i = 0; i < list->count; i++) {
        const struct yaml_node *node = list->items[i];
        struct exercise_param *param = &exercise->params[i];
        param->name = mem_strdup(text_of(node, SCHEMA_param, "name"));
        param->type = (enum element_type)word_of(node, SCHEMA_param, "type");
        param->role = (enum exercise_role)word_of(node, SCHEMA_param, "role");
        const struct yaml_node *shape = yaml_get(node, "shape");
        param->constant_memory =
            strcmp(text_of(node, SCHEMA_param, "constant_memory"), "true") == 0;
        param->rank = (unsigned)count_of(shape);
        for (unsigned j = 0; j < param->rank; j++)
            param->shape[j] = build_expr(shape->items[j], "");
        param->fill = build_fill(builder, yaml_get(node, "fill"));
        param->tolerance = build_tolerance(builder, yaml_get(node, "tolerance"));
    }
}

static void build_constants(const struct builder *builder, const struct yaml_node *list) {
    struct exercise *exercise = builder->exercise;
    exercise->constant_count = count_of(list);
    exercise->constants = mem_calloc(count_of(list), sizeof *exercise->constants);
    for (size_t i = 0; i < count_of(list); i++) {
        const struct yaml_node *node = list->items[i];
        struct exercise_constant *constant = &exercise->constants[i];
        constant->name = mem_strdup(text_of(node, SCHEMA_constant, "name"));
        constant->minimum = integer_of(builder, node, SCHEMA_constant, "min");
        constant->maximum = integer_of(builder, node, SCHEMA_constant, "max");
        constant->fallback = integer_of(builder, node, SCHEMA_constant, "default");
        constant->power_of_two =
            strcmp(text_of(node, SCHEMA_constant, "power_of_two"), "true") == 0;
    }
}

static void build_launch(const struct yaml_node *node, struct exercise_launch *launch) {
    const struct yaml_node *grid = yaml_get(node, "grid"), *block = yaml_get(node, "block");
    for (size_t i = 0; i < 3; i++) {
        launch->grid[i] = build_expr(i < grid->count ? grid->items[i] : NULL, "1");
        launch->block[i] = build_expr(i < block->count ? block->items[i] : NULL, "1");
    }
    launch->shared =
        build_expr(yaml_get(node, "shared"), schema_key_find(SCHEMA_launch, "shared")->fallback);
}

static void build_kernel(const struct builder *builder, const struct yaml_node *root,
                         const char *key, const char *default_kernel,
                         struct exercise_kernel *kernel) {
    const struct yaml_node *node = yaml_get(root, key), *name = yaml_get(node, "kernel");
    const struct yaml_node *launch = yaml_get(node, "launch");
    cleanup_free char *file = mem_printf("%s.cu", key);
    kernel->file = file_join(builder->reference_directory, file);
    kernel->kernel = mem_strdup(name ? name->text : default_kernel);
    if (!launch)
        launch = yaml_get(root, "launch");
    if (!launch) /* of a function or program: none of its own */
        launch = yaml_get(yaml_get(root, "reference"), "launch");
    build_launch(launch, &kernel->launch);
}

static size_t size_param_count(const struct exercise *exercise) {
    size_t count = 0;
    for (size_t i = 0; i < exercise->param_count; i++)
        count += exercise->params[i].role == ROLE_SIZE;
    return count;
}

/* A mapping by size must name every size parameter and nothing else. */
static enum status check_size_names(const struct builder *builder, const struct yaml_node *node) {
    const struct exercise *exercise = builder->exercise;
    const char *names[64] = {0};
    size_t count = 0;
    for (size_t i = 0; i < exercise->param_count; i++)
        if (exercise->params[i].role == ROLE_SIZE)
            names[count++] = exercise->params[i].name;
    enum status status =
        yaml_check_keys(builder->document, node, "sizes", names, count, builder->error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        if (!yaml_get(node, names[i])) {
            status = yaml_error(builder->document, node, builder->error,
                                "sizes: the size %s is missing", names[i]);
            error_hint(builder->error, "Every parameter of role size needs a value here.");
        }
    return status;
}

static enum status build_sizes(const struct builder *builder, const struct yaml_node *node,
                               struct exercise_size **sizes, size_t *count) {
    const struct exercise *exercise = builder->exercise;
    enum status status = check_size_names(builder, node);
    if (status != STATUS_OK)
        return status;
    *sizes = mem_calloc(size_param_count(exercise), sizeof **sizes);
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        if (param->role != ROLE_SIZE)
            continue;
        struct exercise_size *size = &(*sizes)[(*count)++];
        size->name = mem_strdup(param->name);
        size->value = integer_value(builder, yaml_get(node, param->name));
    }
    return STATUS_OK;
}

/* The data of each parameter: what `fills` says, else the parameter's own. */
static enum status build_fills(const struct builder *builder, const struct yaml_node *fills,
                               struct exercise_fill **out) {
    const struct exercise *exercise = builder->exercise;
    const char *names[64] = {0};
    size_t count = 0;
    *out = mem_calloc(exercise->param_count, sizeof **out);
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        const struct yaml_node *fill = yaml_get(fills, param->name);
        (*out)[i] = fill ? build_fill(builder, fill) : param->fill;
        if (param->role == ROLE_IN || param->role == ROLE_INOUT || param->role == ROLE_SCALAR)
            names[count++] = param->name;
    }
    return fills ? yaml_check_keys(builder->document, fills, "fill (of in, inout and scalar)",
                                   names, count, builder->error)
                 : STATUS_OK;
}

static enum status build_case(const struct builder *builder, const struct yaml_node *node,
                              enum case_group group, struct exercise_case *entry) {
    entry->name = mem_strdup(text_of(node, SCHEMA_case, "name"));
    entry->group = group;
    entry->essential = strcmp(text_of(node, SCHEMA_case, "essential"), "true") == 0;
    enum status status =
        build_sizes(builder, yaml_get(node, "sizes"), &entry->sizes, &entry->size_count);
    return status == STATUS_OK ? build_fills(builder, yaml_get(node, "fill"), &entry->fills)
                               : status;
}

static enum status build_generated(const struct builder *builder, const struct yaml_node *node) {
    struct exercise *exercise = builder->exercise;
    if (!node)
        return STATUS_OK;
    const struct yaml_node *sizes = yaml_get(node, "sizes");
    enum status status = check_size_names(builder, sizes);
    if (status != STATUS_OK)
        return status;
    exercise->generated_count = (unsigned)integer_of(builder, node, SCHEMA_generated, "count");
    exercise->generated = mem_calloc(size_param_count(exercise), sizeof *exercise->generated);
    for (size_t i = 0; i < exercise->param_count; i++) {
        if (exercise->params[i].role != ROLE_SIZE)
            continue;
        const struct yaml_node *range = yaml_get(sizes, exercise->params[i].name);
        struct exercise_range *entry = &exercise->generated[exercise->generated_range_count++];
        entry->name = mem_strdup(exercise->params[i].name);
        entry->low = integer_value(builder, range->items[0]);
        entry->high = integer_value(builder, range->items[1]);
        if (entry->low > entry->high)
            return yaml_error(builder->document, range, builder->error,
                              "%s: expected [low, high], but %" PRId64 " is above %" PRId64,
                              entry->name, entry->low, entry->high);
    }
    return STATUS_OK;
}

static enum status build_cases(const struct builder *builder, const struct yaml_node *node) {
    struct exercise *exercise = builder->exercise;
    static const enum case_group groups[] = {GROUP_CORRECTNESS, GROUP_BOUNDARY};
    size_t total = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(groups); i++)
        total += count_of(yaml_get(node, case_group_names[groups[i]]));
    exercise->cases = mem_calloc(total, sizeof *exercise->cases);
    for (size_t i = 0; i < ARRAY_LENGTH(groups); i++) {
        const struct yaml_node *list = yaml_get(node, case_group_names[groups[i]]);
        for (size_t j = 0; j < count_of(list); j++) {
            struct exercise_case *entry = &exercise->cases[exercise->case_count++];
            enum status status = build_case(builder, list->items[j], groups[i], entry);
            if (status != STATUS_OK)
                return status;
        }
    }
    return build_generated(builder, yaml_get(node, "generated"));
}

/* A bound with its points stands in a threshold or, several times, in its tiers. */
static void build_tier(const struct builder *builder, const struct yaml_node *node,
                       enum schema_object object, struct exercise_tier *tier) {
    const struct yaml_node *bound = yaml_get(node, "at_most");
    if (!bound)
        bound = yaml_get(node, "at_least");
    if (bound)
        expr_parse_real(bound->text, &tier->bound, NULL); /* parsed before, by schema_check() */
    tier->points = number_of(builder, node, object, "points");
}

static void build_threshold(const struct builder *builder, const struct yaml_node *node,
                            struct exercise_threshold *threshold) {
    const struct yaml_node *metric = yaml_get(node, "metric"), *name = yaml_get(node, "name");
    const struct yaml_node *tiers = yaml_get(node, "tiers"), *hint = yaml_get(node, "hint");
    const struct yaml_node *first = tiers ? tiers->items[0] : node;
    expr_parse_real(metric->text, &threshold->metric, NULL);
    if (name)
        exercise_build_localized(name, threshold->name);
    for (size_t i = 0; !name && i < LANGUAGE_COUNT; i++)
        threshold->name[i] = mem_strdup(metric->text);
    if (hint)
        exercise_build_localized(hint, threshold->hint);
    threshold->at_least = yaml_get(first, "at_least") != NULL;
    threshold->engine = (enum threshold_engine)word_of(node, SCHEMA_threshold, "engine");
    threshold->tier_count = tiers ? tiers->count : 1;
    threshold->tiers = mem_calloc(threshold->tier_count, sizeof *threshold->tiers);
    for (size_t i = 0; i < threshold->tier_count; i++)
        build_tier(builder, tiers ? tiers->items[i] : node, tiers ? SCHEMA_tier : SCHEMA_threshold,
                   &threshold->tiers[i]);
}

static enum status build_baseline(const struct builder *builder, const struct yaml_node *node) {
    struct exercise_baseline *baseline = &builder->exercise->measured.baseline;
    struct error cause = {0};
    if (!node)
        return STATUS_OK;
    baseline->column_major = node->kind != YAML_SCALAR;
    const struct yaml_node *word = baseline->column_major ? node->items[0] : node;
    /* after "none", which is no word of the file */
    baseline->routine = (enum baseline_routine)(1 + word_index(CHOICE_baselines, word->text));
    if (baseline_resolve(builder->exercise, baseline, &cause) == STATUS_OK)
        return STATUS_OK;
    enum status status = yaml_error(builder->document, word, builder->error, "%s", cause.message);
    error_hint(builder->error, "%s", cause.hint);
    return status;
}

static enum status build_measured(const struct builder *builder, const struct yaml_node *speed) {
    struct exercise_measured *measured = &builder->exercise->measured;
    const struct yaml_node *sizes = yaml_get(speed, "measured_sizes");
    const struct yaml_node *bytes = yaml_get(speed, "bytes"), *flops = yaml_get(speed, "flops");
    if (bytes)
        measured->bytes = build_expr(bytes, "");
    if (flops)
        measured->flops = build_expr(flops, "");
    enum status status = build_baseline(builder, yaml_get(speed, "baseline"));
    return status == STATUS_OK ? build_sizes(builder, sizes ? sizes : yaml_get(speed, "sizes"),
                                             &measured->sizes, &measured->size_count)
                               : status;
}

static enum status build_speed(const struct builder *builder, const struct yaml_node *node) {
    struct exercise *exercise = builder->exercise;
    if (!node)
        return STATUS_OK;
    const struct yaml_node *list = yaml_get(node, "thresholds");
    exercise->threshold_count = count_of(list);
    exercise->thresholds = mem_calloc(count_of(list), sizeof *exercise->thresholds);
    for (size_t i = 0; i < count_of(list); i++)
        build_threshold(builder, list->items[i], &exercise->thresholds[i]);
    exercise->device = mem_strdup(text_of(node, SCHEMA_speed, "device"));
    exercise->speed_sample = (uint64_t)integer_of(builder, node, SCHEMA_speed, "sample");
    enum status status = build_sizes(builder, yaml_get(node, "sizes"), &exercise->speed_sizes,
                                     &exercise->speed_size_count);
    if (status == STATUS_OK)
        status = build_measured(builder, node);
    const struct yaml_node *modelled = yaml_get(node, "modelled_sizes");
    const struct yaml_node *measured = yaml_get(node, "measured_sizes");
    if (status == STATUS_OK)
        status = build_sizes(builder,
                             modelled   ? modelled
                             : measured ? measured
                                        : yaml_get(node, "sizes"),
                             &exercise->modelled_sizes, &exercise->modelled_size_count);
    return status == STATUS_OK
               ? build_fills(builder, yaml_get(node, "fill"), &exercise->speed_fills)
               : status;
}

enum { DEFAULT_GATES = 2, ESSENTIAL_BELOW_MARK = 10, WRONG_BELOW_MARK = 1 };

/* A wrong kernel does not pass unless the file says so. */
static void add_default_gate(struct exercise *exercise, enum gate_condition condition,
                             double below_mark) {
    for (size_t i = 0; i < exercise->gate_count; i++)
        if (exercise->gates[i].condition == condition)
            return;
    exercise->gates[exercise->gate_count++] =
        (struct exercise_gate){condition, fmax(0, exercise->pass_mark_percent - below_mark)};
}

static void build_scoring(const struct builder *builder, const struct yaml_node *node) {
    struct exercise *exercise = builder->exercise;
    const struct yaml_node *groups = yaml_get(node, "groups"), *gates = yaml_get(node, "gates");
    exercise->pass_mark_percent = number_of(builder, node, SCHEMA_scoring, "pass_mark");
    for (size_t i = 0; i < GROUP_COUNT; i++) {
        exercise->points[i] = number_of(builder, groups, SCHEMA_groups, case_group_names[i]);
        exercise->max_score += exercise->points[i];
    }
    exercise->gates = mem_calloc(count_of(gates) + DEFAULT_GATES, sizeof *exercise->gates);
    for (size_t i = 0; i < count_of(gates); i++) {
        const struct yaml_node *entry = gates->items[i];
        enum gate_condition condition =
            yaml_get(entry, "unless") ? (enum gate_condition)word_of(entry, SCHEMA_gate, "unless")
                                      : GATE_HAZARD;
        exercise->gates[exercise->gate_count++] =
            (struct exercise_gate){condition, number_of(builder, entry, SCHEMA_gate, "cap")};
    }
    add_default_gate(exercise, GATE_RIGHT, WRONG_BELOW_MARK);
    if (exercise_has_essential_case(exercise))
        add_default_gate(exercise, GATE_ESSENTIAL, ESSENTIAL_BELOW_MARK);
}

static void build_checks(struct exercise *exercise, const struct yaml_node *node) {
    for (size_t i = 0; i < HAZARD_COUNT; i++)
        exercise->checks[i] = (enum check_level)word_of(node, SCHEMA_checks, hazard_infos[i].name);
    exercise->same_value_race = (enum check_level)word_of(node, SCHEMA_checks, "same-value-race");
}

/* The verdict of a mutant, of the skeleton or a hint, and the hazard where one is named. */
static enum verdict build_verdict(const struct yaml_node *node, enum schema_object object,
                                  bool *has_hazard, enum hazard_kind *hazard) {
    *has_hazard = yaml_get(node, "hazard") != NULL;
    if (*has_hazard)
        *hazard = (enum hazard_kind)word_of(node, object, "hazard");
    return (enum verdict)word_of(node, object, "verdict");
}

static void build_mutants(struct exercise *exercise, const struct yaml_node *list) {
    exercise->mutant_count = count_of(list);
    exercise->mutants = mem_calloc(count_of(list), sizeof *exercise->mutants);
    for (size_t i = 0; i < count_of(list); i++) {
        struct exercise_mutant *mutant = &exercise->mutants[i];
        const struct yaml_node *node = list->items[i];
        const char *file = text_of(node, SCHEMA_mutant, "file");
        const char *base = file_base_name(file);
        const char *dot = strrchr(base, '.');
        mutant->file = file_join(exercise->directory, file);
        mutant->name = mem_strndup(base, dot ? (size_t)(dot - base) : strlen(base));
        mutant->description = mem_strdup(text_of(node, SCHEMA_mutant, "description"));
        mutant->verdict = build_verdict(node, SCHEMA_mutant, &mutant->has_hazard, &mutant->hazard);
        if (yaml_get(node, "cause")) /* the words are the enum's without CAUSE_NONE */
            mutant->cause = (enum cause)(word_of(node, SCHEMA_mutant, "cause") + 1);
    }
}

static void build_skeleton(struct exercise *exercise, const struct yaml_node *node) {
    struct exercise_mutant *untouched = &exercise->untouched;
    exercise->has_untouched = node != NULL;
    if (node)
        untouched->verdict =
            build_verdict(node, SCHEMA_skeleton, &untouched->has_hazard, &untouched->hazard);
}

static void build_hints(struct exercise *exercise, const struct yaml_node *list) {
    exercise->hint_count = count_of(list);
    exercise->hints = mem_calloc(count_of(list), sizeof *exercise->hints);
    for (size_t i = 0; i < count_of(list); i++) {
        struct exercise_hint *hint = &exercise->hints[i];
        const struct yaml_node *node = list->items[i];
        hint->verdict = build_verdict(node, SCHEMA_hint, &hint->has_hazard, &hint->hazard);
        exercise_build_localized(yaml_get(node, "text"), hint->text);
    }
}

static void build_head(struct exercise *exercise, const struct yaml_node *root) {
    const struct yaml_node *topics = yaml_get(root, "topics");
    exercise->id = mem_strdup(text_of(root, SCHEMA_exercise, "id"));
    exercise_build_localized(yaml_get(root, "title"), exercise->title);
    exercise->topic_count = topics->count;
    exercise->topics = mem_calloc(topics->count, sizeof *exercise->topics);
    for (size_t i = 0; i < topics->count; i++)
        exercise->topics[i] = mem_strdup(topics->items[i]->text);
    exercise->source = mem_strdup(text_of(root, SCHEMA_exercise, "source"));
    exercise->hides_solution =
        strcmp(text_of(root, SCHEMA_exercise, "show_solution"), "false") == 0;
    const struct yaml_node *kernel = yaml_get(root, "kernel"),
                           *function = yaml_get(root, "function");
    exercise->kernel = mem_strdup(kernel ? kernel->text : function ? function->text : "main");
}

enum status exercise_build(const struct yaml_document *document, const char *reference_directory,
                           struct exercise *exercise, struct error *error) {
    const struct builder builder = {document, reference_directory, exercise, error};
    const struct yaml_node *root = document->root, *limits = yaml_get(root, "limits");
    build_head(exercise, root);
    build_params(&builder, yaml_get(root, "params"));
    build_constants(&builder, yaml_get(root, "constants"));
    const struct yaml_node *launch = yaml_get(root, "launch");
    build_launch(launch ? launch : yaml_get(yaml_get(root, "reference"), "launch"),
                 &exercise->launch);
    build_kernel(&builder, root, "reference", schema_key_find(SCHEMA_reference, "kernel")->fallback,
                 &exercise->reference);
    build_kernel(&builder, root, "tuned", exercise->kernel, &exercise->tuned);
    build_checks(exercise, yaml_get(root, "checks"));
    build_skeleton(exercise, yaml_get(root, "skeleton"));
    build_mutants(exercise, yaml_get(root, "mutants"));
    build_hints(exercise, yaml_get(root, "hints"));
    exercise->time_limit_seconds = number_of(&builder, limits, SCHEMA_limits, "time");
    exercise->memory_limit_bytes =
        (uint64_t)integer_of(&builder, limits, SCHEMA_limits, "memory_mb") << 20;
    exercise->budget = (uint64_t)integer_of(&builder, limits, SCHEMA_limits, "budget");
    enum status status = exercise_build_kind(document, exercise, error);
    if (status == STATUS_OK)
        status = build_cases(&builder, yaml_get(root, "cases"));
    build_scoring(&builder, yaml_get(root, "scoring")); /* after the cases: one may be essential */
    return status == STATUS_OK ? build_speed(&builder, yaml_get(root, "speed")) : status;
}
