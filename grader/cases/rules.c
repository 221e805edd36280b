/* Buffers as rules: see rules.h. */
#include "grader/cases/rules.h"

#include "grader/cases/random.h"

#include <math.h>

#define LARGEST_WHOLE 0x1p52 /* that a rule, which computes in double, still makes exactly */

/* A bound that is not reached: [low, high) must hold also where a value was rounded to the type. */
static double inner_bound(enum element_type type, double low, double high) {
    double step = 4 * element_roundoff(type) * fmax(fabs(low), fabs(high));
    return fmax(low, high - step);
}

/* False where the fill is no function of the element's index alone. */
static bool rule_of_fill(const struct exercise_fill *fill, enum element_type type, uint64_t seed,
                         struct engine_fill *rule) {
    bool is_float = element_infos[type].is_float;
    *rule = (struct engine_fill){.seed = seed, .low = fill->low, .high = fill->high};
    switch (fill->kind) {
    case FILL_ZERO:
        rule->kind = ENGINE_FILL_ZERO;
        return true;
    case FILL_CONSTANT:
        rule->kind = ENGINE_FILL_CONSTANT;
        return fabs(fill->low) <= LARGEST_WHOLE;
    case FILL_IOTA:
        rule->kind = ENGINE_FILL_IOTA;
        return true;
    case FILL_SORTED:
        rule->kind = ENGINE_FILL_SORTED;
        return fabs(fill->low) <= LARGEST_WHOLE && fabs(fill->high) <= LARGEST_WHOLE;
    case FILL_OFFSETS:
        rule->kind = ENGINE_FILL_OFFSETS;
        return fill->high <= LARGEST_WHOLE;
    case FILL_UNIFORM:
    case FILL_INTEGERS:
        break;
    default:
        return false;
    }
    if (is_float && fill->kind == FILL_UNIFORM) {
        rule->kind = ENGINE_FILL_UNIFORM;
        rule->high = inner_bound(type, fill->low, fill->high);
        return true;
    }
    rule->kind = ENGINE_FILL_INTEGERS;
    rule->low = ceil(fill->low);
    rule->high = floor(fill->high);
    return fabs(rule->low) <= LARGEST_WHOLE && fabs(rule->high) <= LARGEST_WHOLE;
}

static uint64_t rule_seed(const struct plan *plan, const char *name) {
    struct random random;
    random_start(&random, plan->seed,
                 (const char *const[]){plan->exercise->id, "measured", name, NULL});
    return random_word(&random);
}

/* A poison that the card can make, which computes elements as doubles. */
static bool rule_of_poison(enum element_type type, struct engine_fill *rule) {
    uint64_t poison = plan_poison(type);
    *rule = (struct engine_fill){.kind = ENGINE_FILL_CONSTANT,
                                 .low = element_to_double(type, &poison, 0)};
    return element_infos[type].is_float || element_infos[type].bytes < 8;
}

static bool rule_of_argument(const struct plan *plan, size_t index,
                             const struct engine_argument *argument, struct engine_fill *rule) {
    const struct exercise *exercise = plan->exercise;
    if (index >= exercise->param_count || exercise->params[index].role == ROLE_OUT)
        return rule_of_poison(argument->type, rule);
    const struct exercise_param *param = &exercise->params[index];
    if (!rule_of_fill(&plan->cases[0].fills[index], param->type, rule_seed(plan, param->name),
                      rule))
        return false;
    rule->is_drawn = argument->type != param->type; /* the reference's inouts are doubles */
    rule->drawn = param->type;
    return true;
}

void plan_use_rules(const struct plan *plan, enum plan_rules rules, struct plan_launch *launch) {
    launch->data_length = 0;
    for (size_t i = 0; i < launch->argument_count; i++) {
        struct engine_argument *argument = &launch->arguments[i];
        if (!argument->is_buffer)
            continue;
        bool is_constant = i < plan->exercise->param_count &&
                           plan->exercise->params[i].constant_memory; /* also of the reference */
        bool has_rule = !(rules == PLAN_RULES_ON_DEMAND && is_constant) &&
                        rule_of_argument(plan, i, argument, &argument->fill);
        if (!has_rule)
            argument->fill = (struct engine_fill){.kind = ENGINE_FILL_DATA};
        argument->data_offset = 0;
        if (has_rule && (argument->read_only || rules == PLAN_RULES_ON_DEMAND))
            continue;
        size_t bytes = argument->count * element_infos[argument->type].bytes;
        argument->data_offset = launch->data_length;
        launch->data_length +=
            (bytes + PLAN_BUFFER_ALIGNMENT - 1) / PLAN_BUFFER_ALIGNMENT * PLAN_BUFFER_ALIGNMENT;
    }
}
