/* What bounds a launch, in a sentence: the part of the modelled time, why there is no more of it,
 * and the line to mend first with the waste that makes this part longer. A waste of another unit is
 * not the cause, however large it is. */
#include "reports/advice.h"

#include "reports/message.h"
#include "reports/translate.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/number.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <string.h>

static uint64_t moved_sectors(const struct counters *c) {
    return c->global_load_sectors + c->global_store_sectors + c->global_atomic_sectors +
           c->local_load_sectors + c->local_store_sectors;
}

/* What a line asks of a unit: instructions, sectors, wavefronts or passes. */
static uint64_t demand(const struct counters *c, enum cost_part part) {
    switch (part) {
    case PART_fp32:
        return c->fp32_instructions;
    case PART_fp64:
        return c->fp64_instructions;
    case PART_special: { /* doubles that come of floats and become ones again are converted there */
        uint64_t doubles = 2 * c->fp64_instructions;
        return c->special_instructions +
               (c->conversion_instructions < doubles ? c->conversion_instructions : doubles);
    }
    case PART_matrix:
        return c->matrix_instructions;
    case PART_shared:
        return c->shared_load_wavefronts + c->shared_store_wavefronts + c->shared_atomic_passes;
    case PART_l1:
    case PART_l2:
    case PART_dram:
        return moved_sectors(c);
    case PART_atomics:
        return c->global_atomic_passes;
    default:
        return c->warp_instructions;
    }
}

/* While a unit is busy, warps wait anywhere: the line that fills its queue is found by what it asks
 * of the unit. Where no unit is busy, the lines at which warps wait are the ones. */
static bool is_waiting(enum cost_part limiter) {
    return limiter == PART_issue || limiter == PART_blocks || limiter == PART_latency ||
           limiter == PART_launch;
}

static double cost_of(const struct line_counters *line, enum cost_part limiter, bool timed) {
    return timed ? line->modelled_ms : (double)demand(&line->counters, limiter);
}

/* Integer divisions take the unit of the special functions, and no counter has them: where no line
 * asks it for anything that is counted, the time tells. */
const struct line_counters *advice_costliest(const struct line_counters *lines, size_t count,
                                             enum cost_part limiter, const char *file) {
    const struct line_counters *worst = NULL;
    bool has_times = false, has_demand = false;
    for (size_t i = 0; i < count; i++) {
        has_times |= lines[i].modelled_ms > 0;
        has_demand |= demand(&lines[i].counters, limiter) > 0;
    }
    bool uncounted = limiter == PART_special && !has_demand;
    bool timed = has_times && (is_waiting(limiter) || uncounted);
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        double cost = cost_of(&lines[i], limiter, timed);
        if (!lines[i].line || strcmp(lines[i].file, file) != 0 || cost <= most)
            continue;
        most = cost;
        worst = &lines[i];
    }
    return worst;
}

#define LAUNCH_SHARE 0.2 /* of the time: less is not worth a word */
#define BLOCKS_SHARE 0.2 /* ... likewise */
#define FULL_GRID    0.9 /* of the blocks that the device holds: as good as all */

static const char *const part_labels[COST_PART_COUNT] = {
#define COST_PART(id, label, summary) label,
#include "sandbox/base/cost_part.def"
#undef COST_PART
};

/* What the time goes to, as ids have it. */
static const char *part_name(const struct engine_result *result, enum cost_part part,
                             const char *file) {
    const char *label = part_labels[part];
    if (part != PART_special)
        return label;
    const struct line_counters *line =
        advice_costliest(result->lines, result->line_count, part, file);
    const char *use = line ? advice_special_use(&line->counters) : NULL;
    return use ? use : label;
}

void advice_part_label(const struct engine_result *result, enum cost_part part, const char *file,
                       enum language language, struct text *out) {
    translate_append(out, language, part_name(result, part, file));
}

/* "instruction-issue-bound", from the part's label. */
static void append_bound(const char *label, struct text *out) {
    for (const char *c = label; *c; c++)
        text_append_char(out, *c == ' ' ? '-' : *c);
    text_append(out, "-bound");
}

/* Neither launching nor waiting for other blocks keeps a unit of the device busy. */
static enum cost_part busiest_unit(const struct cost_estimate *estimate) {
    enum cost_part busiest = PART_issue;
    for (unsigned i = 0; i < COST_PART_COUNT; i++)
        if (i != PART_latency && i != PART_launch && i != PART_blocks &&
            estimate->part_ms[i] > estimate->part_ms[busiest])
            busiest = (enum cost_part)i;
    return busiest;
}

/* What the device takes to start the blocks, one after the other. */
static double starting_ms(const struct launch_profile *profile,
                          const struct device_profile *device) {
    return (double)profile->blocks * device->block_interval_cycles / (device->clock_mhz * 1000);
}

static bool starts_take_most(const struct launch_profile *profile,
                             const struct device_profile *device) {
    return device->clock_mhz > 0 &&
           starting_ms(profile, device) > profile->estimate.part_ms[PART_launch] / 2;
}

/* "; 40 blocks leave 92 of 132 SMs idle" */
static bool append_idle(const struct launch_profile *profile, const struct device_profile *device,
                        enum language language, struct text *out) {
    double sms = device->multiprocessors, blocks = (double)profile->blocks;
    if (blocks >= sms)
        return false;
    text_printf(out, WORDS(language, idle_sms), blocks, blocks > 1 ? "s" : "",
                blocks > 1 ? "" : "s", sms - blocks, sms);
    return true;
}

/* Why there are not more warps to fill the gaps: the grid is small, or an SM holds no more. */
static void append_warps(const struct launch_profile *profile, const struct device_profile *device,
                         enum language language, struct text *out) {
    const struct occupancy *occupancy = &profile->occupancy;
    double sms = device->multiprocessors, blocks = (double)profile->blocks;
    if (append_idle(profile, device, language, out))
        return;
    if (blocks < FULL_GRID * sms * occupancy->blocks_per_sm)
        text_printf(out, WORDS(language, blocks_for_each_sm), decimal(blocks / sms, 3).text,
                    occupancy->blocks_per_sm);
    else
        text_printf(out, WORDS(language, sm_holds), occupancy->blocks_per_sm,
                    text_plural(occupancy->blocks_per_sm), occupancy->warps_per_sm,
                    message_occupancy_limit(language, occupancy_limit_names[occupancy->limit]),
                    occupancy->limit == LIMIT_SHARED ? "s" : "");
}

/* Where no unit is busy enough to explain the time. */
static void append_latency(const struct engine_result *result, const struct device_profile *device,
                           const char *file, enum language language, struct text *out) {
    const struct launch_profile *profile = &result->profile;
    const struct cost_estimate *estimate = &profile->estimate;
    enum cost_part busiest = busiest_unit(estimate);
    double launch = estimate->part_ms[PART_launch] / estimate->ms;
    double blocks = estimate->part_ms[PART_blocks] / estimate->ms;
    cleanup_text struct text label = {0};
    advice_part_label(result, busiest, file, language, &label);
    text_printf(out, WORDS(language, warps_wait), text_string(&label),
                100 * estimate->part_ms[busiest] / estimate->ms);
    if (launch >= LAUNCH_SHARE)
        text_printf(out, WORDS(language, launching_takes), 100 * launch);
    if (blocks >= BLOCKS_SHARE)
        text_printf(out, WORDS(language, blocks_wait_for), 100 * blocks);
    append_warps(profile, device, language, out);
}

static void append_launch(const struct launch_profile *profile, const struct device_profile *device,
                          enum language language, struct text *out) {
    if (starts_take_most(profile, device))
        text_printf(out, WORDS(language, starts_slower), profile->blocks);
    else
        text_append(out, WORDS(language, launch_is_over));
}

static void append_line(const struct engine_result *result, const struct advice *advice,
                        enum language language, struct text *out) {
    const struct cost_estimate *estimate = &result->profile.estimate;
    const struct line_counters *line = advice->line;
    uint64_t all = demand(&result->counters, estimate->limiter);
    uint64_t part = demand(&line->counters, estimate->limiter);
    text_append(out, WORDS(language, semicolon));
    text_printf(out, WORDS(language, line_does), line->line);
    if (advice->waste != WASTE_COUNT)
        advice_append(advice->waste, &line->counters, language, out);
    else if ((is_waiting(estimate->limiter) || !part) && line->modelled_ms > 0)
        text_printf(out, WORDS(language, takes_of_time), 100 * line->modelled_ms / estimate->ms);
    else
        text_printf(out, WORDS(language, causes_of_it), all ? 100 * (double)part / (double)all : 0);
}

struct advice advice_find(const struct engine_result *result, const struct device_profile *device,
                          const char *file) {
    const struct launch_profile *profile = &result->profile;
    enum cost_part limiter = profile->estimate.limiter;
    struct advice advice = {.waste = WASTE_COUNT};
    if (!profile->present || profile->estimate.ms <= 0)
        return advice;
    if (limiter == PART_launch) { /* no line is the cause */
        advice.waste = starts_take_most(profile, device) ? WASTE_STARTS : WASTE_COUNT;
        return advice;
    }
    advice.line = advice_costliest(result->lines, result->line_count, limiter, file);
    if (advice.line)
        advice.waste = advice_limited_waste(&advice.line->counters, limiter);
    return advice;
}

static void append_limiter(const struct engine_result *result, const struct device_profile *device,
                           const char *file, enum language language, struct text *out) {
    const struct launch_profile *profile = &result->profile;
    const struct cost_estimate *estimate = &profile->estimate;
    enum cost_part limiter = estimate->limiter;
    struct advice advice = advice_find(result, device, file);
    double share = 100 * estimate->part_ms[limiter] / estimate->ms;
    append_bound(part_name(result, limiter, file), out);
    if (limiter == PART_latency)
        append_latency(result, device, file, language, out);
    else
        text_printf(out, WORDS(language, share_of_time), share < 100 ? share : 100);
    if (limiter == PART_launch) {
        append_launch(profile, device, language, out);
        return;
    }
    if (limiter == PART_blocks) {
        if (advice.line)
            text_printf(out, WORDS(language, blocks_wait_in), advice.line->line);
        return;
    }
    if (limiter != PART_latency)
        append_idle(profile, device, language, out);
    if (advice.line)
        append_line(result, &advice, language, out);
}

void advice_limiter(const struct engine_result *result, const struct device_profile *device,
                    const char *file, enum language language, struct text *out) {
    const struct launch_profile *profile = &result->profile;
    if (!profile->present || profile->estimate.ms <= 0)
        return;
    append_limiter(result, device, file, language, out);
    double error = profile_time_error(profile);
    if (error > PROFILE_CERTAIN)
        text_printf(out, WORDS(language, not_certain), decimal(100 * error, 2).text);
}
