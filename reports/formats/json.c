/* The report for programs: the fields of report.schema.json, in a fixed order, with null for what
 * is not known.
 *
 * reports/report.schema.json says what each field is; a test holds the two together. No clock is in
 * it: the same submission with the same seed gives the same bytes. */
#include "reports/json_parts.h"
#include "reports/json_pictures.h"
#include "reports/stored/base64.h"
#include "reports/writers.h"
#include "sandbox/base/memory.h"

static json_t *sizes_json(const struct report_size *sizes, size_t count) {
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++) {
        json_t *key = json_text(sizes[i].name ? sizes[i].name : "");
        json_object_set_new_nocheck(object, json_string_value(key), json_integer(sizes[i].value));
        json_decref(key);
    }
    return object;
}

static json_t *difference_json(const struct report_difference *d) {
    if (!d->present)
        return json_null();
    json_t *object = json_object();
    json_object_set_new(object, "output", json_text(d->output));
    json_object_set_new(object, "index", json_text(d->index));
    json_object_set_new(object, "flat_index", json_unsigned(d->flat_index));
    json_object_set_new(object, "expected", json_double(d->expected));
    json_object_set_new(object, "actual", d->never_written ? json_null() : json_double(d->actual));
    json_object_set_new(object, "allowed", json_double(d->allowed));
    json_object_set_new(object, "is_integer", json_boolean(d->is_integer));
    json_object_set_new(object, "never_written", json_boolean(d->never_written));
    json_object_set_new(object, "differing", json_unsigned(d->differing));
    json_object_set_new(object, "total", json_unsigned(d->total));
    json_set_grids(object, d);
    return object;
}

static json_t *cause_json(const struct report_cause *cause) {
    json_t *object = json_object();
    json_object_set_new(object, "id", json_text(cause->id));
    json_object_set_new(object, "source", json_string(cause->is_mistake ? "mutant" : "pattern"));
    json_object_set_new(object, "text", json_text(cause->text));
    json_object_set_new(object, "evidence", json_text(cause->evidence));
    return object;
}

static json_t *time_json(const struct report_time *time) {
    if (!time->present)
        return json_null();
    json_t *object = json_object();
    json_object_set_new(object, "kind", json_string(time->measured ? "measured" : "modelled"));
    json_object_set_new(object, "median_ms", json_double(time->median_ms));
    json_object_set_new(object, "ci_low_ms", json_double(time->ci_low_ms));
    json_object_set_new(object, "ci_high_ms", json_double(time->ci_high_ms));
    json_object_set_new(object, "ratio_to_reference", json_double(time->ratio_to_reference));
    return object;
}

static json_t *interval_json(const struct report_interval *interval) {
    if (!interval->present)
        return json_null();
    return json_pack("{so so so}", "median", json_double(interval->median), "ci_low",
                     json_double(interval->low), "ci_high", json_double(interval->high));
}

static json_t *known_json(double value) {
    return value > 0 ? json_double(value) : json_null();
}

static json_t *clock_json(unsigned mhz) {
    return mhz ? json_integer(mhz) : json_null();
}

static json_t *measured_json(const struct report_measured *measured) {
    if (!measured->present)
        return json_null();
    json_t *object = json_object();
    json_object_set_new(object, "card", json_text(measured->card));
    json_object_set_new(object, "sizes", sizes_json(measured->sizes, measured->size_count));
    json_object_set_new(object, "rounds", json_integer((json_int_t)measured->rounds));
    json_object_set_new(object, "settled", json_boolean(measured->settled));
    json_object_set_new(object, "ratio_to_tuned", interval_json(&measured->ratio_to_tuned));
    json_object_set_new(object, "ratio_to_reference", interval_json(&measured->ratio_to_reference));
    json_object_set_new(object, "baseline", json_text(measured->baseline));
    json_object_set_new(object, "fraction_of_baseline",
                        interval_json(&measured->fraction_of_baseline));
    json_object_set_new(object, "tuned_ms", known_json(measured->tuned_ms));
    json_object_set_new(object, "reference_ms", known_json(measured->reference_ms));
    json_object_set_new(object, "baseline_ms", known_json(measured->baseline_ms));
    json_object_set_new(object, "roof_ms", known_json(measured->roof_ms));
    json_object_set_new(object, "fraction_of_roof", known_json(measured->fraction_of_roof));
    json_object_set_new(object, "sm_clock_low_mhz", clock_json(measured->sm_clock_low_mhz));
    json_object_set_new(object, "sm_clock_high_mhz", clock_json(measured->sm_clock_high_mhz));
    json_object_set_new(object, "memory_clock_mhz", clock_json(measured->memory_clock_mhz));
    json_object_set_new(object, "throttled", json_text(measured->throttled));
    return object;
}

/* On what a threshold's value rests. */
static const char *threshold_kind(const struct report_threshold *threshold) {
    return threshold->measured ? "measured" : threshold->modelled ? "modelled" : "counted";
}

static json_t *threshold_json(const struct report_threshold *threshold) {
    bool decided = threshold->state != THRESHOLD_UNDECIDED;
    json_t *object = json_object();
    json_object_set_new(object, "name", json_text(threshold->name));
    json_object_set_new(object, "metric", json_text(threshold->metric));
    json_object_set_new(object, "state", json_string(report_threshold_states[threshold->state]));
    json_object_set_new(object, "kind", json_string(threshold_kind(threshold)));
    json_object_set_new(object, "value", decided ? json_double(threshold->value) : json_null());
    json_object_set_new(object, "relative_error",
                        decided ? json_double(threshold->error) : json_null());
    json_object_set_new(object, "in_doubt", json_boolean(threshold->in_doubt));
    json_object_set_new(object, "comparison",
                        json_string(threshold->at_least ? "at_least" : "at_most"));
    json_object_set_new(object, "target", decided ? json_double(threshold->target) : json_null());
    json_object_set_new(object, "bound", json_text(threshold->bound));
    json_object_set_new(object, "score", json_double(threshold->score));
    json_object_set_new(object, "max_score", json_double(threshold->max_score));
    json_object_set_new(object, "line",
                        threshold->line ? json_integer(threshold->line) : json_null());
    json_object_set_new(object, "why", json_text(threshold->why));
    json_object_set_new(object, "hint", json_text(threshold->hint));
    return object;
}

static json_t *device_json(const struct report_speed *speed) {
    if (!speed->device_id)
        return json_null();
    json_t *device = json_pack("{so so}", "id", json_text(speed->device_id), "name",
                               json_text(speed->device_name));
    json_set_provenance(device, &speed->device_rates);
    return device;
}

static json_t *speed_json(const struct report_speed *speed) {
    if (!speed->present)
        return json_null();
    bool known = speed->registers != 0;
    json_t *thresholds = json_array();
    for (size_t i = 0; i < speed->threshold_count; i++)
        json_array_append_new(thresholds, threshold_json(&speed->thresholds[i]));
    json_t *object = json_object();
    json_object_set_new(object, "device", device_json(speed));
    json_object_set_new(object, "sizes",
                        speed->size_count ? sizes_json(speed->sizes, speed->size_count)
                                          : json_null());
    if (speed->size_count)
        json_object_set_new(object, "elements_compared", json_unsigned(speed->elements_compared));
    json_object_set_new(object, "blocks", json_unsigned(speed->blocks));
    json_object_set_new(object, "blocks_simulated", json_unsigned(speed->blocks_simulated));
    json_object_set_new(object, "relative_error",
                        json_double(profile_largest_error(speed->errors)));
    json_object_set_new(object, "relative_errors", json_sampled_errors(speed->errors));
    json_object_set_new(object, "registers_per_thread",
                        known ? json_integer(speed->registers) : json_null());
    json_object_set_new(object, "theoretical_occupancy",
                        known ? json_double(speed->occupancy) : json_null());
    json_object_set_new(object, "occupancy_limit", json_text(speed->occupancy_limit));
    json_object_set_new(object, "limiter", json_text(speed->limiter));
    json_set_costs(object, speed);
    json_object_set_new(object, "measured", measured_json(&speed->measured));
    json_object_set_new(object, "thresholds", thresholds);
    return object;
}

/* Hazards with one cause stand in `hazards` as one; what each was by itself is kept beside it, for
 * the formats that are made of this report later. */
static void set_hazards(json_t *object, const struct report_case *item) {
    json_t *merged = json_hazards(item->hazards, item->hazard_count);
    json_object_set_new(object, "hazards", merged);
    if (json_array_size(merged) < item->hazard_count)
        json_object_set_new(object, "findings", json_findings(item->hazards, item->hazard_count));
}

/* Where a report that is read back has none, there was none. */
static void set_time(json_t *object, const char *name, double ms, bool times) {
    if (times && ms > 0)
        json_object_set_new(object, name, json_double(ms));
}

static json_t *case_json(const struct report_case *item, bool times) {
    json_t *object = json_object();
    json_object_set_new(object, "name", json_text(item->name));
    json_object_set_new(object, "group", json_text(item->group));
    json_object_set_new(object, "sizes", sizes_json(item->sizes, item->size_count));
    json_set_launch(object, item->grid, item->block);
    json_object_set_new(object, "essential", json_boolean(item->essential));
    json_object_set_new(object, "verdict", json_string(verdict_infos[item->verdict].name));
    json_object_set_new(object, "score", json_double(item->score));
    json_object_set_new(object, "max_score", json_double(item->max_score));
    if (item->found_on_card)
        json_object_set_new(object, "engine", json_string("cuda"));
    json_object_set_new(object, "message", json_text(item->message));
    json_object_set_new(object, "hint", json_text(item->hint));
    json_object_set_new(object, "first_difference", difference_json(&item->difference));
    json_object_set_new(object, "tolerance", json_text(item->tolerance));
    if (item->cause.present)
        json_object_set_new(object, "cause", cause_json(&item->cause));
    set_hazards(object, item);
    json_object_set_new(object, "counters",
                        item->has_counters ? json_counters(&item->counters) : json_null());
    json_object_set_new(object, "time", time_json(&item->time));
    json_object_set_new(object, "speed", speed_json(&item->speed));
    json_object_set_new(object, "printed", json_text(item->printed));
    set_time(object, "wall_ms", item->wall_ms, times);
    return object;
}

static json_t *groups_json(const struct report *report) {
    json_t *list = json_array();
    for (size_t i = 0; i < report->group_count; i++) {
        const struct report_group *group = &report->groups[i];
        json_t *object = json_object();
        json_object_set_new(object, "name", json_text(group->name));
        json_object_set_new(object, "score", json_double(group->score));
        json_object_set_new(object, "max_score", json_double(group->max_score));
        json_object_set_new(object, "cases", json_unsigned(group->case_count));
        json_object_set_new(object, "passed_cases", json_unsigned(group->passed_count));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *diagnostics_json(const struct report *report) {
    static const char *const severities[] = {"error", "warning", "note"};
    json_t *list = json_array();
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        const struct build_diagnostic *d = &report->diagnostics[i];
        json_t *object = json_object();
        json_object_set_new(object, "severity", json_string(severities[d->severity]));
        json_object_set_new(object, "file", json_text(d->file));
        json_object_set_new(object, "line", d->line ? json_integer(d->line) : json_null());
        json_object_set_new(object, "column", d->column ? json_integer(d->column) : json_null());
        json_object_set_new(object, "text", json_text(d->text));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *build_json(const struct report *report) {
    if (!report->build_message)
        return json_null();
    json_t *object = json_object();
    json_object_set_new(object, "message", json_text(report->build_message));
    json_object_set_new(object, "hint", json_text(report->build_hint));
    return object;
}

static json_t *cases_json(const struct report *report, bool times) {
    json_t *list = json_array();
    for (size_t i = 0; i < report->case_count; i++)
        json_array_append_new(list, case_json(&report->cases[i], times));
    return list;
}

/* With its source, byte for byte: excerpts count columns in bytes. */
static json_t *submission_json(const struct report *report) {
    json_t *object = json_object();
    json_object_set_new(object, "file", json_text(report->file));
    json_object_set_new(object, "sha256",
                        report->sha256[0] ? json_text(report->sha256) : json_null());
    if (!report->source)
        return object;
    json_t *source = json_stringn(report->source, report->source_length);
    if (source) {
        json_object_set_new(object, "source", source);
        return object;
    }
    cleanup_free char *encoded = base64_encode(report->source, report->source_length);
    json_object_set_new(object, "source_base64", json_string(encoded));
    return object;
}

static json_t *report_json(const struct report *report, bool times) {
    json_t *object = json_object();
    json_object_set_new(object, "schema", json_integer(REPORT_SCHEMA));
    json_object_set_new(object, "tool",
                        json_pack("{ss ss}", "name", "warpgrade", "version", WARPGRADE_VERSION));
    json_object_set_new(object, "exercise", json_text(report->exercise));
    json_object_set_new(object, "title", json_text(report->title));
    json_object_set_new(object, "language", json_text(report->language));
    json_object_set_new(object, "submission", submission_json(report));
    json_object_set_new(object, "engine", json_text(report->engine));
    json_object_set_new(object, "seed",
                        report->withholds_seed ? json_null() : json_unsigned(report->seed));
    json_object_set_new(object, "score", json_double(report->score));
    json_object_set_new(object, "max_score", json_double(report->max_score));
    json_object_set_new(object, "pass_mark", json_double(report->pass_mark));
    json_object_set_new(object, "passed", json_boolean(report->passed));
    json_object_set_new(object, "verdict", json_string(verdict_infos[report->verdict].name));
    json_object_set_new(object, "message", json_text(report->message));
    json_object_set_new(object, "cap_reason", json_text(report->cap_reason));
    json_object_set_new(object, "cap", report->cap_reason ? json_double(report->cap) : json_null());
    json_object_set_new(object, "groups", groups_json(report));
    json_object_set_new(object, "cases", cases_json(report, times));
    json_object_set_new(object, "build", build_json(report));
    json_object_set_new(object, "diagnostics", diagnostics_json(report));
    json_object_set_new(object, "constants", sizes_json(report->constants, report->constant_count));
    json_object_set_new(object, "environment",
                        json_pack("{so so so}", "machine", json_text(report->environment),
                                  "compiler", json_text(report->compiler), "jail",
                                  json_protection(&report->protection)));
    set_time(object, "wall_ms", report->wall_ms, times);
    set_time(object, "compile_ms", report->compile_ms, times);
    return object;
}

enum status report_write_json(const struct report *const *reports, size_t count,
                              const struct report_options *options, struct text *out,
                              struct error *error) {
    (void)error; /* writing into memory does not fail */
    bool times = options && options->times;
    if (count == 1) {
        json_append(out, report_json(reports[0], times));
        return STATUS_OK;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, report_json(reports[i], times));
    json_append(out, json_pack("{si so}", "schema", REPORT_SCHEMA, "submissions", list));
    return STATUS_OK;
}
