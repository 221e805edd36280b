/* From the launches of a speed case to what its pictures show: see grade_cost.h. */
#include "grader/grade/grade_cost.h"

#include "reports/profile.h"
#include "sandbox/base/memory.h"

#include <string.h>

/* ---- lines ----------------------------------------------------------------------------------- */

static double cost_of(const struct line_counters *line) {
    return line->modelled_ms > 0 ? line->modelled_ms : (double)line->counters.warp_instructions;
}

static void drop_cheapest(struct report_speed *speed) {
    size_t cheapest = 0;
    for (size_t i = 1; i < speed->line_count; i++)
        if (cost_of(&speed->lines[i]) < cost_of(&speed->lines[cheapest]))
            cheapest = i;
    speed->line_count--;
    memmove(&speed->lines[cheapest], &speed->lines[cheapest + 1],
            (speed->line_count - cheapest) * sizeof *speed->lines);
}

void grade_take_costs(const struct engine_result *result, const char *file,
                      struct report_speed *speed) {
    memcpy(speed->part_ms, result->profile.estimate.part_ms, sizeof speed->part_ms);
    memcpy(speed->accesses, result->accesses, sizeof speed->accesses);
    speed->access_count = result->access_count;
    speed->lines = mem_calloc(REPORT_MAX_LINES + 1, sizeof *speed->lines);
    for (size_t i = 0; i < result->line_count; i++) {
        if (!result->lines[i].line || strcmp(result->lines[i].file, file) != 0)
            continue;
        speed->lines[speed->line_count++] = result->lines[i];
        if (speed->line_count > REPORT_MAX_LINES)
            drop_cheapest(speed);
    }
}

/* ---- the roofline ---------------------------------------------------------------------------- */

static struct report_point point_of(const struct counters *counters, double ms, bool measured) {
    struct report_point point = {
        .present = ms > 0, .measured = measured, .flops = (double)counters->flops, .ms = ms};
    metric_evaluate(counters, "dram_bytes", &point.dram_bytes);
    return point;
}

static bool same_sizes(const struct report_speed *speed) {
    const struct report_measured *measured = &speed->measured;
    if (speed->size_count != measured->size_count)
        return false;
    for (size_t i = 0; i < speed->size_count; i++)
        if (strcmp(speed->sizes[i].name, measured->sizes[i].name) != 0 ||
            speed->sizes[i].value != measured->sizes[i].value)
            return false;
    return true;
}

void grade_take_roofline(const struct engine_result *result, const struct engine_result *tuned,
                         const struct device_profile *device, const struct report_time *time,
                         struct report_speed *speed) {
    const struct report_measured *measured = &speed->measured;
    double ms = result->profile.estimate.ms, tuned_ms = tuned->profile.estimate.ms;
    struct profile_roofline roof = profile_roofline_of(&result->counters, ms, device);
    struct report_roofline *out = &speed->roofline;
    if (!roof.known)
        return;
    *out = (struct report_roofline){.present = true,
                                    .precision = mem_strdup(roof.precision),
                                    .peak_gflops = roof.peak_gflops,
                                    .peak_gbps = roof.peak_gbps};
    bool known = measured->present && time->measured && same_sizes(speed) &&
                 strcmp(measured->card, device->name) == 0;
    bool tuned_known = known && measured->tuned_ms > 0;
    out->submission = point_of(&result->counters, known ? time->median_ms : ms, known);
    out->tuned =
        point_of(&tuned->counters, tuned_known ? measured->tuned_ms : tuned_ms, tuned_known);
    if (!known || !measured->baseline || measured->baseline_ms <= 0)
        return;
    /* a library's counters are not known: it computes what the tuned kernel does, and moves what
     * has to be moved */
    out->baseline = point_of(&tuned->counters, measured->baseline_ms, true);
    if (tuned->counters.ideal_bytes)
        out->baseline.dram_bytes = (double)tuned->counters.ideal_bytes;
}
