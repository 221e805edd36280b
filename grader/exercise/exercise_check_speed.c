/* Whether the thresholds of the speed case make sense: one direction, rising points, names that
 * have a value, and as many points as the group speed has.
 *
 * A bound may be an expression whose value only a run knows, so that tiers are not compared with
 * each other unless they are plain numbers: then the order of bounds must be that of points. */
#include "grader/exercise/exercise_parts.h"

#include "grader/exercise/device.h"
#include "grader/exercise/exercise_schema.h"
#include "grader/exercise/threshold.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <math.h>
#include <string.h>

enum { MAX_NAMES = 256 };

struct check {
    const struct yaml_document *document;
    const struct exercise *exercise;
    struct error *error;
    const char *names[MAX_NAMES]; /* all that a metric expression may use */
    size_t name_count;
};

#define FAIL(check, node, ...) yaml_error((check)->document, node, (check)->error, __VA_ARGS__)

static void add_name(struct check *check, const char *name) {
    if (check->name_count < MAX_NAMES)
        check->names[check->name_count++] = name;
}

/* Sizes and constants come last: a metric keeps its meaning whatever a parameter is called. */
static void collect_names(struct check *check) {
    const struct schema_words *measures = &schema_choices[CHOICE_measures];
    const struct exercise *exercise = check->exercise;
    for (size_t i = 0; i < measures->count; i++)
        add_name(check, measures->names[i]);
    for (size_t i = 0; i < exercise->param_count; i++)
        if (exercise->params[i].role == ROLE_SIZE)
            add_name(check, exercise->params[i].name);
    for (size_t i = 0; i < exercise->constant_count; i++)
        add_name(check, exercise->constants[i].name);
}

static bool is_known(const struct check *check, const char *name) {
    for (size_t i = 0; i < check->name_count; i++)
        if (strcmp(check->names[i], name) == 0)
            return true;
    return false;
}

struct speed_search {
    const struct check *check;
    const char *unknown;
    unsigned column;
};

static void find_unknown(const char *name, unsigned column, void *context) {
    struct speed_search *search = context;
    if (search->unknown || is_known(search->check, threshold_base_name(name)))
        return;
    search->unknown = name;
    search->column = column;
}

static enum status check_names(const struct check *check, const struct yaml_node *node,
                               const struct expr *expr) {
    struct speed_search search = {.check = check};
    expr_visit_names(expr, find_unknown, &search);
    if (!search.unknown)
        return STATUS_OK;
    error_set(check->error, STATUS_INVALID, "%s is no metric, counter, size or constant",
              search.unknown);
    if (check->error)
        check->error->column = search.column;
    const char *base = threshold_base_name(search.unknown);
    const char *closest = text_closest(base, check->names, check->name_count);
    if (closest)
        error_hint(check->error, "did you mean %.*s%s?", (int)(base - search.unknown),
                   search.unknown, closest);
    else
        error_hint(check->error, "`warpgrade explain` lists metrics and counters.");
    schema_place_expression(check->document, node, check->error);
    return STATUS_INVALID;
}

static bool no_value(const void *context, const char *name, double *value) {
    (void)context;
    (void)name;
    (void)value;
    return false;
}

/* The bound of a threshold or tier: exactly one of the two keys, the same one in all tiers. */
static enum status check_bound(const struct check *check, const struct yaml_node *node,
                               const struct exercise_threshold *threshold, size_t tier) {
    const char *key = threshold->at_least ? "at_least" : "at_most";
    const char *other = threshold->at_least ? "at_most" : "at_least";
    const struct yaml_node *bound = yaml_get(node, key);
    if (yaml_get(node, other) && bound)
        return FAIL(check, yaml_get(node, other), "at_most and at_least exclude each other");
    if (yaml_get(node, other))
        return FAIL(check, yaml_get(node, other),
                    "the tier before has %s: the tiers of a threshold go one way", key);
    if (!bound) {
        enum status status = FAIL(check, node, "a bound is missing: at_most or at_least");
        error_hint(check->error, "for example at_most: 4.5, or at_most: 1.2 * ideal_bytes");
        return status;
    }
    double value;
    if (expr_evaluate_real(threshold->tiers[tier].bound, no_value, NULL, &value, NULL) &&
        !isfinite(value))
        return FAIL(check, bound, "the bound divides by 0");
    return check_names(check, bound, threshold->tiers[tier].bound);
}

/* Rising points for what is harder to reach. */
static enum status check_order(const struct check *check, const struct yaml_node *list,
                               const struct exercise_threshold *threshold, size_t tier) {
    const struct exercise_tier *easy = &threshold->tiers[tier - 1], *hard = easy + 1;
    double low, high;
    if (hard->points <= easy->points)
        return FAIL(check, yaml_get(list->items[tier], "points"),
                    "%s points are not more than the %s of the tier before",
                    decimal(hard->points, 6).text, decimal(easy->points, 6).text);
    if (!expr_evaluate_real(easy->bound, no_value, NULL, &low, NULL) ||
        !expr_evaluate_real(hard->bound, no_value, NULL, &high, NULL))
        return STATUS_OK;
    if (threshold->at_least ? high > low : high < low)
        return STATUS_OK;
    return FAIL(check, list->items[tier], "this tier is not harder to reach than the one before");
}

static enum status check_tiers(const struct check *check, const struct yaml_node *node,
                               const struct exercise_threshold *threshold) {
    const struct yaml_node *tiers = yaml_get(node, "tiers");
    static const char *const own[] = {"at_most", "at_least", "points"};
    if (!tiers)
        return check_bound(check, node, threshold, 0);
    for (size_t i = 0; i < ARRAY_LENGTH(own); i++)
        if (yaml_get(node, own[i]))
            return FAIL(check, yaml_get(node, own[i]),
                        "a threshold with tiers has its bounds and points there, not here");
    enum status status = STATUS_OK;
    for (size_t i = 0; i < tiers->count && status == STATUS_OK; i++) {
        status = check_bound(check, tiers->items[i], threshold, i);
        if (status == STATUS_OK && i)
            status = check_order(check, tiers, threshold, i);
    }
    return status;
}

static enum status check_device(const struct check *check, const struct yaml_node *speed) {
    const char *ids[MAX_NAMES];
    size_t count = 0;
    for (; count < MAX_NAMES && device_id(count); count++) {
        ids[count] = device_id(count);
        if (strcmp(ids[count], check->exercise->device) == 0)
            return STATUS_OK;
    }
    enum status status =
        FAIL(check, yaml_get(speed, "device"), "there is no device %.63s", check->exercise->device);
    const char *closest = text_closest(check->exercise->device, ids, count);
    if (closest)
        error_hint(check->error, "did you mean %s?", closest);
    else
        error_hint(check->error, "`warpgrade profile --list-devices` lists them.");
    return status;
}

static enum status check_points(const struct check *check) {
    const struct exercise *exercise = check->exercise;
    const struct yaml_node *groups = yaml_get(yaml_get(check->document->root, "scoring"), "groups");
    const struct yaml_node *node = yaml_get(groups, case_group_names[GROUP_SPEED]);
    double sum = 0;
    for (size_t i = 0; i < exercise->threshold_count; i++)
        sum += exercise_threshold_points(&exercise->thresholds[i]);
    if (fabs(sum - exercise->points[GROUP_SPEED]) <= 1e-9)
        return STATUS_OK;
    return FAIL(check, node ? node : groups,
                "the group speed has %s points, but its thresholds give %s",
                decimal(exercise->points[GROUP_SPEED], 6).text, decimal(sum, 6).text);
}

enum status exercise_check_speed(const struct yaml_document *document,
                                 const struct exercise *exercise, struct error *error) {
    struct check check = {.document = document, .exercise = exercise, .error = error};
    const struct yaml_node *speed = yaml_get(document->root, "speed");
    const struct yaml_node *list = yaml_get(speed, "thresholds");
    collect_names(&check);
    if (speed && check_device(&check, speed) != STATUS_OK)
        return STATUS_INVALID;
    for (size_t i = 0; i < exercise->threshold_count; i++) {
        const struct exercise_threshold *threshold = &exercise->thresholds[i];
        const struct yaml_node *node = list->items[i];
        enum status status = check_names(&check, yaml_get(node, "metric"), threshold->metric);
        if (status == STATUS_OK)
            status = check_tiers(&check, node, threshold);
        if (status != STATUS_OK)
            return status;
    }
    return check_points(&check);
}
