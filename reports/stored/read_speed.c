/* The speed case of a stored report: json.c's speed_json(), backwards. */
#include "reports/stored/parts.h"

#include "sandbox/base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What the writers have as "unknown" is null in the document, and 0 here. */
static double known(struct member_reader *reader, const json_t *object, const char *key) {
    return member_real(reader, object, key, MEMBER_OPTIONAL);
}

static unsigned positive(struct member_reader *reader, const json_t *object, const char *key) {
    return (unsigned)member_integer(reader, object, key, MEMBER_OPTIONAL, 1, UINT_MAX);
}

static struct report_interval read_interval(struct member_reader *reader, const json_t *object,
                                            const char *key) {
    struct report_interval interval = {0};
    object = member_object(reader, object, key, MEMBER_OPTIONAL);
    if (!object)
        return interval;
    size_t mark = member_enter(reader, key);
    interval.present = true;
    interval.median = member_real(reader, object, "median", MEMBER_REQUIRED);
    interval.low = member_real(reader, object, "ci_low", MEMBER_REQUIRED);
    interval.high = member_real(reader, object, "ci_high", MEMBER_REQUIRED);
    member_leave(reader, mark);
    return interval;
}

static void read_measured(struct member_reader *reader, const json_t *object,
                          struct report_measured *measured) {
    object = member_object(reader, object, "measured", MEMBER_OPTIONAL);
    if (!object)
        return;
    size_t mark = member_enter(reader, "measured");
    measured->present = true;
    measured->card = member_text(reader, object, "card", MEMBER_REQUIRED);
    stored_read_sizes(reader, object, "sizes", MEMBER_REQUIRED, &measured->sizes,
                      &measured->size_count);
    measured->rounds = member_size(reader, object, "rounds", MEMBER_REQUIRED, INT64_MAX);
    measured->settled = member_bool(reader, object, "settled", MEMBER_REQUIRED);
    measured->ratio_to_tuned = read_interval(reader, object, "ratio_to_tuned");
    measured->ratio_to_reference = read_interval(reader, object, "ratio_to_reference");
    measured->fraction_of_baseline = read_interval(reader, object, "fraction_of_baseline");
    measured->baseline =
        member_text(reader, object, "baseline",
                    measured->fraction_of_baseline.present ? MEMBER_REQUIRED : MEMBER_OPTIONAL);
    measured->tuned_ms = known(reader, object, "tuned_ms");
    measured->reference_ms = known(reader, object, "reference_ms");
    measured->baseline_ms = known(reader, object, "baseline_ms");
    measured->roof_ms = known(reader, object, "roof_ms");
    measured->fraction_of_roof = known(reader, object, "fraction_of_roof");
    measured->sm_clock_low_mhz = positive(reader, object, "sm_clock_low_mhz");
    measured->sm_clock_high_mhz = positive(reader, object, "sm_clock_high_mhz");
    measured->memory_clock_mhz = positive(reader, object, "memory_clock_mhz");
    measured->throttled = member_text(reader, object, "throttled", MEMBER_OPTIONAL);
    member_leave(reader, mark);
}

static void read_threshold(struct member_reader *reader, const json_t *object,
                           struct report_threshold *threshold) {
    enum { COUNTED, MODELLED, MEASURED };
    static const char *const kinds[] = {"counted", "modelled", "measured"};
    static const char *const comparisons[] = {"at_most", "at_least"};
    threshold->name = member_text(reader, object, "name", MEMBER_REQUIRED);
    threshold->metric = member_text(reader, object, "metric", MEMBER_REQUIRED);
    size_t state = member_choice(reader, object, "state", MEMBER_REQUIRED, report_threshold_states,
                                 THRESHOLD_STATE_COUNT, "state of a threshold");
    bool decided = state != THRESHOLD_UNDECIDED;
    threshold->state =
        state < THRESHOLD_STATE_COUNT ? (enum report_threshold_state)state : THRESHOLD_UNDECIDED;
    size_t kind = member_choice(reader, object, "kind", MEMBER_REQUIRED, kinds, ARRAY_LENGTH(kinds),
                                "kind of value");
    threshold->modelled = kind == MODELLED;
    threshold->measured = kind == MEASURED;
    enum member_need value_need = decided ? MEMBER_REQUIRED : MEMBER_OPTIONAL;
    threshold->value = member_real(reader, object, "value", value_need);
    threshold->error = member_real(reader, object, "relative_error", MEMBER_OPTIONAL);
    threshold->in_doubt = member_bool(reader, object, "in_doubt", MEMBER_OPTIONAL);
    threshold->at_least = member_choice(reader, object, "comparison", MEMBER_REQUIRED, comparisons,
                                        ARRAY_LENGTH(comparisons), "comparison") == 1;
    /* schema 1 said `wanted` */
    const char *target = object && json_object_get(object, "wanted") ? "wanted" : "target";
    threshold->target = member_real(reader, object, target, value_need);
    threshold->bound = member_text(reader, object, "bound", MEMBER_REQUIRED);
    threshold->score =
        member_number(reader, object, "score", MEMBER_REQUIRED, 0, STORED_MOST_POINTS);
    threshold->max_score =
        member_number(reader, object, "max_score", MEMBER_REQUIRED, 0, STORED_MOST_POINTS);
    threshold->line = positive(reader, object, "line");
    threshold->why = member_text(reader, object, "why", MEMBER_OPTIONAL);
    threshold->hint = member_text(reader, object, "hint", MEMBER_OPTIONAL);
}

static void read_thresholds(struct member_reader *reader, const json_t *object,
                            struct report_speed *speed) {
    size_t count, capacity = 0;
    const json_t *list =
        member_list(reader, object, "thresholds", MEMBER_REQUIRED, STORED_MOST_THRESHOLDS, &count);
    size_t mark = member_enter(reader, "thresholds");
    for (size_t i = 0; i < count && !reader->failed; i++) {
        size_t element = member_enter_element(reader, i);
        read_threshold(reader, member_element(reader, list, i),
                       mem_push(&speed->thresholds, &speed->threshold_count, &capacity));
        member_leave(reader, element);
    }
    member_leave(reader, mark);
}

static void read_provenance(struct member_reader *reader, const json_t *object,
                            struct device_provenance *rates) {
    object = member_object(reader, object, "provenance", MEMBER_OPTIONAL);
    if (!object)
        return;
    size_t mark = member_enter(reader, "provenance");
    for (size_t i = 0; i < DEVICE_ORIGIN_COUNT; i++)
        rates->counts[i] = (unsigned)member_integer(reader, object, device_origin_names[i],
                                                    MEMBER_REQUIRED, 0, DEVICE_NUMBER_COUNT);
    rates->checked = member_bool(reader, object, "checked", MEMBER_REQUIRED);
    member_leave(reader, mark);
}

static void read_device(struct member_reader *reader, const json_t *object,
                        struct report_speed *speed) {
    object = member_object(reader, object, "device", MEMBER_OPTIONAL);
    if (!object)
        return;
    size_t mark = member_enter(reader, "device");
    speed->device_id = member_text(reader, object, "id", MEMBER_REQUIRED);
    speed->device_name = member_text(reader, object, "name", MEMBER_REQUIRED);
    read_provenance(reader, object, &speed->device_rates);
    member_leave(reader, mark);
}

static void read_errors(struct member_reader *reader, const json_t *object,
                        double errors[SAMPLED_FIGURE_COUNT]) {
    object = member_object(reader, object, "relative_errors", MEMBER_REQUIRED);
    size_t mark = member_enter(reader, "relative_errors");
    for (size_t i = 0; i < SAMPLED_FIGURE_COUNT; i++)
        errors[i] = member_real(reader, object, sampled_figure_names[i], MEMBER_OPTIONAL);
    member_leave(reader, mark);
}

void stored_read_speed(struct member_reader *reader, const json_t *object,
                       struct report_speed *speed) {
    if (!object)
        return;
    size_t mark = member_enter(reader, "speed");
    speed->present = true;
    read_device(reader, object, speed);
    stored_read_sizes(reader, object, "sizes", MEMBER_OPTIONAL, &speed->sizes, &speed->size_count);
    speed->elements_compared =
        member_size(reader, object, "elements_compared", MEMBER_OPTIONAL, INT64_MAX);
    speed->blocks = member_unsigned(reader, object, "blocks", MEMBER_REQUIRED);
    speed->blocks_simulated = member_unsigned(reader, object, "blocks_simulated", MEMBER_REQUIRED);
    read_errors(reader, object, speed->errors);
    speed->registers = positive(reader, object, "registers_per_thread");
    enum member_need need = speed->registers ? MEMBER_REQUIRED : MEMBER_OPTIONAL;
    speed->occupancy = member_number(reader, object, "theoretical_occupancy", need, 0, 1);
    speed->occupancy_limit = member_text(reader, object, "occupancy_limit", need);
    speed->limiter = member_text(reader, object, "limiter", MEMBER_OPTIONAL);
    stored_read_costs(reader, object, speed);
    read_measured(reader, object, &speed->measured);
    read_thresholds(reader, object, speed);
    member_leave(reader, mark);
}
