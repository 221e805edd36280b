/* The rules of the sentences, one row a kind of waste.
 *
 * A row compares what was counted with what would have been enough, in a common unit, roughly the
 * cycles of the unit that does the work: four sectors of global memory, one wavefront, one pass of
 * an atomic, one instruction of 32 lanes. That decides which of several wastes of a line is
 * reported; the sentence itself has the exact numbers. */
#include "reports/advice.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/number.h"
#include "sandbox/base/text.h"

#include <string.h>

/* What is below this many per request reads as noise. */
#define SLIGHT 0.05
/* Sectors are wasted where there are this many times the ideal ones. */
#define SPREAD 1.5

struct waste_row {
    const char *about[3]; /* a metric with one of these in its name is about it */
    double (*cycles)(const struct counters *c);
    void (*append)(const struct counters *c, struct text *out);
    const char *fix;
    const char *page;
};

static double beyond(uint64_t found, uint64_t enough) {
    return found > enough ? (double)(found - enough) : 0;
}

/* A warp that reads two rows of a tile touches a sector or two more than if all lay side by side:
 * that is not worth a word. */
static double sectors_beyond(uint64_t found, uint64_t ideal) {
    return (double)found > SPREAD * (double)ideal ? beyond(found, ideal) : 0;
}

static double load_cycles(const struct counters *c) {
    return sectors_beyond(c->global_load_sectors, c->global_load_ideal_sectors) / 4;
}

static void append_loads(const struct counters *c, struct text *out) {
    text_printf(
        out, "reads %s sectors a request, %s would be enough",
        decimal(number_ratio(c->global_load_sectors, c->global_load_requests), 3).text,
        decimal(number_ratio(c->global_load_ideal_sectors, c->global_load_requests), 3).text);
}

static double store_cycles(const struct counters *c) {
    return sectors_beyond(c->global_store_sectors, c->global_store_ideal_sectors) / 4;
}

static void append_stores(const struct counters *c, struct text *out) {
    text_printf(
        out, "writes %s sectors a request, %s would be enough",
        decimal(number_ratio(c->global_store_sectors, c->global_store_requests), 3).text,
        decimal(number_ratio(c->global_store_ideal_sectors, c->global_store_requests), 3).text);
}

static double conflict_cycles(const struct counters *c) {
    return (double)c->shared_bank_conflicts;
}

static void append_conflicts(const struct counters *c, struct text *out) {
    text_printf(out, "has %s bank conflicts in each shared-memory request",
                decimal(number_ratio(c->shared_bank_conflicts,
                                     c->shared_load_requests + c->shared_store_requests),
                        3)
                    .text);
}

static double global_atomic_cycles(const struct counters *c) {
    return beyond(c->global_atomic_passes, c->global_atomic_requests);
}

static void append_global_atomics(const struct counters *c, struct text *out) {
    text_printf(out,
                "lets %s lanes of a warp update one address of global memory, one after "
                "the other",
                decimal(number_ratio(c->global_atomic_passes, c->global_atomic_requests), 3).text);
}

static double shared_atomic_cycles(const struct counters *c) {
    return beyond(c->shared_atomic_passes, c->shared_atomic_requests);
}

static void append_shared_atomics(const struct counters *c, struct text *out) {
    text_printf(out,
                "lets %s lanes of a warp update one address of shared memory, one after "
                "the other",
                decimal(number_ratio(c->shared_atomic_passes, c->shared_atomic_requests), 3).text);
}

static double local_cycles(const struct counters *c) {
    return (double)(c->local_load_sectors + c->local_store_sectors) / 4;
}

static void append_local(const struct counters *c, struct text *out) {
    text_printf(
        out, "goes to local memory in %.0f %% of its instructions",
        100 * number_ratio(c->local_load_requests + c->local_store_requests, c->warp_instructions));
}

static double constant_cycles(const struct counters *c) {
    return (double)c->constant_replays;
}

static void append_constant(const struct counters *c, struct text *out) {
    text_printf(out, "asks for %s addresses of constant memory at once, one is served at a time",
                decimal(1 + number_ratio(c->constant_replays, c->constant_requests), 3).text);
}

static double lane_cycles(const struct counters *c) {
    return (double)c->inactive_lanes / WARP_LANES;
}

static void append_lanes(const struct counters *c, struct text *out) {
    text_printf(
        out, "keeps %s of 32 lanes busy",
        decimal(WARP_LANES - number_ratio(c->inactive_lanes, c->warp_instructions), 3).text);
}

static const struct waste_row rows[WASTE_COUNT] = {
    [WASTE_LOADS] = {{"global_load", "dram", "l2_"},
                     load_cycles,
                     append_loads,
                     "Let neighbouring threads read neighbouring elements: threadIdx.x goes along "
                     "the memory. Where the algorithm needs another order, load a tile row by row "
                     "into shared memory and read it there.",
                     "global_load_sectors"},
    [WASTE_STORES] = {{"global_store", "dram", "l2_"},
                      store_cycles,
                      append_stores,
                      "Let neighbouring threads write neighbouring elements: threadIdx.x goes "
                      "along the memory.",
                      "global_store_sectors"},
    [WASTE_CONFLICTS] = {{"shared_bank", "shared_load", "shared_store"},
                         conflict_cycles,
                         append_conflicts,
                         "Lanes of a warp should read words in different banks (address / 4 mod "
                         "32), or the same word: walk along rows, or make rows one element longer.",
                         "shared_bank_conflicts"},
    [WASTE_GLOBAL_ATOMICS] = {{"global_atomic", "atomic_", NULL},
                              global_atomic_cycles,
                              append_global_atomics,
                              "Add up within the warp (__shfl_down_sync) or the block (shared "
                              "memory) first, so that one lane updates global memory for all.",
                              "global_atomic_conflicts"},
    [WASTE_SHARED_ATOMICS] = {{"shared_atomic", "atomic_", NULL},
                              shared_atomic_cycles,
                              append_shared_atomics,
                              "Spread the updates: several copies of the counters in a block, or a "
                              "sum in the warp (__shfl_down_sync) first.",
                              "shared_atomic_conflicts"},
    [WASTE_LOCAL] = {{"local_", NULL, NULL},
                     local_cycles,
                     append_local,
                     "Registers are too few, or an array is indexed by what the compiler does not "
                     "know: use fewer values at a time, or unroll the loop that indexes it.",
                     "local_load_sectors"},
    [WASTE_CONSTANT] = {{"constant_", NULL, NULL},
                        constant_cycles,
                        append_constant,
                        "Constant memory serves one address of a warp at a time: data that each "
                        "lane reads elsewhere belongs in global or shared memory.",
                        "constant_replays"},
    [WASTE_LANES] = {{"inactive", "diverg", "warp_efficiency"},
                     lane_cycles,
                     append_lanes,
                     "Let whole warps take the same branch: conditions on threadIdx.x / 32 cost "
                     "nothing, those on threadIdx.x % 2 cost half of the lanes.",
                     "divergent_branches"},
};

static bool is_about(const struct waste_row *row, const char *metric) {
    for (size_t i = 0; i < ARRAY_LENGTH(row->about); i++)
        if (row->about[i] && strstr(metric, row->about[i]))
            return true;
    return false;
}

enum waste advice_waste(const struct counters *counters, const char *metric) {
    bool any = true;
    for (unsigned i = 0; i < WASTE_COUNT && metric; i++)
        any &= !is_about(&rows[i], metric);
    enum waste worst = WASTE_COUNT;
    double most = SLIGHT * (double)counters->warp_instructions;
    for (unsigned i = 0; i < WASTE_COUNT; i++) {
        if (!any && !is_about(&rows[i], metric))
            continue;
        double cycles = rows[i].cycles(counters);
        if (cycles > most) {
            most = cycles;
            worst = (enum waste)i;
        }
    }
    return worst;
}

void advice_append(enum waste waste, const struct counters *counters, struct text *out) {
    if (waste < WASTE_COUNT)
        rows[waste].append(counters, out);
}

const char *advice_fix(enum waste waste) {
    return waste < WASTE_COUNT ? rows[waste].fix : NULL;
}

const char *advice_page(enum waste waste) {
    return waste < WASTE_COUNT ? rows[waste].page : NULL;
}

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
    case PART_special:
        return c->special_instructions;
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

const struct line_counters *advice_costliest(const struct line_counters *lines, size_t count,
                                             enum cost_part limiter, const char *file) {
    bool waits = is_waiting(limiter);
    const struct line_counters *worst = NULL;
    double most = 0;
    bool timed = false;
    for (size_t i = 0; i < count; i++)
        timed |= waits && lines[i].modelled_ms > 0;
    for (size_t i = 0; i < count; i++) {
        double cost = timed ? lines[i].modelled_ms : (double)demand(&lines[i].counters, limiter);
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

/* "instruction-issue-bound", from the part's label. */
static void append_bound(enum cost_part part, struct text *out) {
    for (const char *c = part_labels[part]; *c; c++)
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

/* Why there are not more warps to fill the gaps: the grid is small, or an SM holds no more. */
static void append_warps(const struct launch_profile *profile, const struct device_profile *device,
                         struct text *out) {
    const struct occupancy *occupancy = &profile->occupancy;
    double sms = device->multiprocessors, blocks = (double)profile->blocks;
    if (blocks < sms)
        text_printf(out, "; %.0f block%s leave%s %.0f of %.0f SMs idle", blocks,
                    blocks > 1 ? "s" : "", blocks > 1 ? "" : "s", sms - blocks, sms);
    else if (blocks < FULL_GRID * sms * occupancy->blocks_per_sm)
        text_printf(out, "; the grid has %s blocks for each SM, which could hold %u",
                    decimal(blocks / sms, 3).text, occupancy->blocks_per_sm);
    else
        text_printf(out, "; an SM holds %u block%s, %u warps, as %s allow%s",
                    occupancy->blocks_per_sm, text_plural(occupancy->blocks_per_sm),
                    occupancy->warps_per_sm, occupancy_limit_names[occupancy->limit],
                    occupancy->limit == LIMIT_SHARED ? "s" : "");
}

/* Where no unit is busy enough to explain the time. */
static void append_latency(const struct launch_profile *profile,
                           const struct device_profile *device, struct text *out) {
    const struct cost_estimate *estimate = &profile->estimate;
    enum cost_part busiest = busiest_unit(estimate);
    double launch = estimate->part_ms[PART_launch] / estimate->ms;
    double blocks = estimate->part_ms[PART_blocks] / estimate->ms;
    text_printf(out, ": warps wait, and the busiest unit (%s) works %.0f %% of the modelled time",
                part_labels[busiest], 100 * estimate->part_ms[busiest] / estimate->ms);
    if (launch >= LAUNCH_SHARE)
        text_printf(out, "; launching takes %.0f %% of it", 100 * launch);
    if (blocks >= BLOCKS_SHARE)
        text_printf(out, "; blocks wait for what others write for %.0f %% of it", 100 * blocks);
    append_warps(profile, device, out);
}

const struct line_counters *advice_limiter(const struct engine_result *result,
                                           const struct device_profile *device, const char *file,
                                           struct text *out) {
    const struct launch_profile *profile = &result->profile;
    const struct cost_estimate *estimate = &profile->estimate;
    if (!profile->present || estimate->ms <= 0)
        return NULL;
    double share = 100 * estimate->part_ms[estimate->limiter] / estimate->ms;
    append_bound(estimate->limiter, out);
    if (estimate->limiter == PART_latency)
        append_latency(profile, device, out);
    else
        text_printf(out, ": %.0f %% of the modelled time", share < 100 ? share : 100);
    if (estimate->limiter == PART_launch) {
        text_append(out, "; the launch is over before the device is busy");
        return NULL;
    }
    const struct line_counters *line =
        advice_costliest(result->lines, result->line_count, estimate->limiter, file);
    if (!line)
        return NULL;
    if (estimate->limiter == PART_blocks) { /* whatever else the line wastes is not the cause */
        text_printf(out, ", for which blocks wait for what others write; most of it in line %u",
                    line->line);
        return NULL;
    }
    enum waste waste = advice_waste(&line->counters, NULL);
    if (waste != WASTE_COUNT) {
        text_printf(out, "; line %u ", line->line);
        advice_append(waste, &line->counters, out);
    } else if (is_waiting(estimate->limiter) && line->modelled_ms > 0) {
        text_printf(out, "; line %u takes %.0f %% of the modelled time", line->line,
                    100 * line->modelled_ms / estimate->ms);
    } else {
        uint64_t all = demand(&result->counters, estimate->limiter);
        text_printf(out, "; line %u causes %.0f %% of it", line->line,
                    all ? 100 * (double)demand(&line->counters, estimate->limiter) / (double)all
                        : 0);
    }
    return line;
}
