/* The roofline of a profiled launch, and the profile as JSON. */
#include "reports/profile.h"

#include "reports/advice.h"
#include "reports/json_parts.h"
#include "reports/message.h"

#include "sandbox/base/file.h"

#include <math.h>

enum { SCHEMA_VERSION = 1 };

/* ---- the roofline ---------------------------------------------------------------------------- */

/* Operations a second of the whole device; `lanes` a clock and SM, `flops` a lane. */
static double peak_gflops(const struct device_profile *device, double lanes, double flops) {
    return lanes * flops * device->multiprocessors * device->clock_mhz / 1e3;
}

/* The precision that most operations are in. A fused multiply-add is two operations, and a packed
 * one of half precision four. */
static void choose_precision(const struct counters *c, const struct device_profile *device,
                             struct profile_roofline *roof) {
    const struct {
        const char *name;
        uint64_t flops;
        double lanes, each;
    } precisions[] = {
        {"FP32", c->flops_single, device->fp32_lanes, 2},
        {"FP64", c->flops_double, device->fp64_lanes, 2},
        {"FP16", c->flops_half, device->fp16_lanes, 4},
        {"tensor core", c->flops_matrix, device->matrix_flops, 1},
    };
    size_t most = 0;
    for (size_t i = 1; i < sizeof precisions / sizeof precisions[0]; i++)
        if (precisions[i].flops > precisions[most].flops)
            most = i;
    roof->precision = precisions[most].name;
    roof->peak_gflops = peak_gflops(device, precisions[most].lanes, precisions[most].each);
}

struct profile_roofline profile_roofline_of(const struct counters *c, double ms,
                                            const struct device_profile *device) {
    double bytes = 0;
    metric_evaluate(c, "dram_bytes", &bytes);
    struct profile_roofline roof = {.known = ms > 0 && (c->flops || bytes > 0),
                                    .peak_gbps = device->dram_gbps};
    choose_precision(c, device, &roof);
    if (!roof.known)
        return roof;
    roof.ridge = roof.peak_gflops / roof.peak_gbps;
    roof.intensity = bytes > 0 ? (double)c->flops / bytes : INFINITY;
    roof.gflops = (double)c->flops / ms / 1e6;
    roof.gbps = bytes / ms / 1e6;
    roof.memory_bound = roof.intensity < roof.ridge;
    roof.fraction = roof.memory_bound ? roof.gbps / roof.peak_gbps : roof.gflops / roof.peak_gflops;
    return roof;
}

struct profile_roofline profile_roofline(const struct profile_report *report) {
    return profile_roofline_of(&report->result->counters, report->result->profile.estimate.ms,
                               report->device);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *sizes_json(const struct profile_report *report) {
    json_t *object = json_object();
    for (size_t i = 0; i < report->size_count; i++)
        json_object_set_new(object, report->sizes[i].name, json_integer(report->sizes[i].value));
    return object;
}

static json_t *occupancy_json(const struct profile_report *report) {
    const struct occupancy *occupancy = &report->result->profile.occupancy;
    if (!report->registers)
        return json_null();
    json_t *limits = json_object();
    for (size_t i = 0; i < LIMIT_COUNT; i++)
        json_object_set_new(limits, occupancy_limit_names[i], json_integer(occupancy->limits[i]));
    return json_pack("{so si si ss so}", "theoretical", json_double(occupancy->theoretical),
                     "blocks_per_sm", (int)occupancy->blocks_per_sm, "warps_per_sm",
                     (int)occupancy->warps_per_sm, "limit", occupancy_limit_names[occupancy->limit],
                     "limits", limits);
}

static const char *const part_ids[COST_PART_COUNT] = {
#define COST_PART(id, label, summary) #id,
#include "sandbox/base/cost_part.def"
#undef COST_PART
};

static json_t *time_json(const struct launch_profile *profile) {
    const struct cost_estimate *estimate = &profile->estimate;
    if (estimate->ms <= 0)
        return json_null();
    json_t *parts = json_object();
    for (size_t i = 0; i < COST_PART_COUNT; i++)
        json_object_set_new(parts, part_ids[i], json_double(estimate->part_ms[i]));
    return json_pack("{ss so so ss so}", "kind", "modelled", "ms", json_double(estimate->ms),
                     "relative_error", json_double(profile_time_error(profile)), "limiter",
                     part_ids[estimate->limiter], "parts_ms", parts);
}

static json_t *roofline_json(const struct profile_report *report) {
    struct profile_roofline roof = profile_roofline(report);
    if (!roof.known)
        return json_null();
    return json_pack("{ss ss so so so so so so sb so}", "kind", "modelled", "precision",
                     roof.precision, "intensity", json_double(roof.intensity), "ridge",
                     json_double(roof.ridge), "peak_gflops", json_double(roof.peak_gflops),
                     "peak_gbps", json_double(roof.peak_gbps), "gflops", json_double(roof.gflops),
                     "gbps", json_double(roof.gbps), "memory_bound", roof.memory_bound, "fraction",
                     json_double(roof.fraction));
}

static json_t *metrics_json(const struct counters *counters) {
    json_t *object = json_object();
    for (size_t i = 0; i < METRIC_COUNT; i++)
        json_object_set_new(object, metric_infos[i].name, json_double(metric_value(counters, i)));
    return object;
}

static json_t *lines_json(const struct engine_result *result) {
    json_t *list = json_array();
    for (size_t i = 0; i < result->line_count; i++) {
        const struct line_counters *line = &result->lines[i];
        cleanup_text struct text waste = {0};
        advice_append(advice_waste(&line->counters, NULL), &line->counters, LANGUAGE_EN, &waste);
        json_t *item = json_object();
        json_object_set_new(item, "file", json_text(line->file));
        json_object_set_new(item, "line", line->line ? json_integer(line->line) : json_null());
        json_object_set_new(item, "modelled_ms", json_double(line->modelled_ms));
        json_object_set_new(item, "waste",
                            waste.length ? json_text(text_string(&waste)) : json_null());
        json_t *counters = json_counters(&line->counters);
        json_object_update(item, counters);
        json_decref(counters);
        json_array_append_new(list, item);
    }
    return list;
}

bool profile_lacks_matrix(const struct profile_report *report) {
    return report->wants_matrix && !report->result->counters.matrix_instructions;
}

void profile_append_limiter(const struct profile_report *report, enum language language,
                            struct text *out) {
    advice_limiter(report->result, report->device, file_base_name(report->file), language, out);
    if (out->length && profile_lacks_matrix(report))
        text_append(out, WORDS(language, no_tensor_cores));
}

static json_t *device_json(const struct device_profile *device) {
    struct device_provenance rates = device_rate_provenance(device);
    json_t *object =
        json_pack("{so so}", "id", json_text(device->id), "name", json_text(device->name));
    json_set_provenance(object, &rates);
    return object;
}

void report_profile_json(const struct profile_report *report, struct text *out) {
    const struct engine_result *result = report->result;
    const struct launch_profile *profile = &result->profile;
    cleanup_text struct text limiter = {0};
    profile_append_limiter(report, LANGUAGE_EN, &limiter);
    json_t *object = json_object();
    json_object_set_new(object, "schema", json_integer(SCHEMA_VERSION));
    json_object_set_new(object, "file", json_text(report->file));
    json_object_set_new(object, "kernel", json_text(report->kernel));
    json_object_set_new(object, "exercise", json_text(report->exercise));
    json_object_set_new(object, "case", json_text(report->case_name));
    json_object_set_new(object, "sizes", sizes_json(report));
    json_object_set_new(object, "device", device_json(report->device));
    json_object_set_new(object, "grid", json_dim3(report->grid));
    json_object_set_new(object, "block", json_dim3(report->block));
    json_object_set_new(object, "dynamic_shared_bytes", json_unsigned(report->shared_bytes));
    json_object_set_new(object, "static_shared_bytes", json_unsigned(result->static_shared_bytes));
    json_object_set_new(object, "registers_per_thread",
                        report->registers ? json_integer(report->registers) : json_null());
    json_object_set_new(object, "occupancy", occupancy_json(report));
    json_object_set_new(object, "blocks", json_unsigned(profile->blocks));
    json_object_set_new(object, "blocks_simulated", json_unsigned(profile->blocks_simulated));
    json_object_set_new(object, "sampling", json_sampling(profile->sampling));
    json_object_set_new(object, "relative_error",
                        json_double(profile_largest_error(profile->errors)));
    json_object_set_new(object, "relative_errors", json_sampled_errors(profile->errors));
    json_object_set_new(object, "time", time_json(profile));
    json_object_set_new(object, "limiter",
                        limiter.length ? json_text(text_string(&limiter)) : json_null());
    json_object_set_new(object, "roofline", roofline_json(report));
    json_object_set_new(object, "counters", json_counters(&result->counters));
    json_object_set_new(object, "metrics", metrics_json(&result->counters));
    json_object_set_new(object, "lines", lines_json(result));
    json_object_set_new(object, "jail", json_protection(&report->protection));
    json_append(out, object);
}
