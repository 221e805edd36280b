/* From the sums of a sample to those of the grid.
 *
 * First touches of memory do not scale with blocks, because these share data: capture_recapture.c
 * estimates what the grid touches, and the instructions' first touches shrink to that, buffer by
 * buffer. Caches that are smaller in proportion push out what the whole one would hold: nothing
 * comes again or is flushed where the L2 holds all that is touched, and what many blocks use stays
 * where that takes no more than half of it.
 *
 * The same is done with the sums that leave a group of blocks out, for sample_error.c; what the L2
 * holds is decided once, by the whole sample. */
#include "sandbox/simgpu/memsys/sample.h"

#include "sandbox/simgpu/state/launch.h"

#include "sandbox/base/memory.h"

#include <math.h>

#define FULL_SHARE   0.9 /* of the L2: more of it loses lines to sets that are full */
#define MOST_TIMES   1e9 /* as many blocks as a grid may have */
#define SHARED_SHARE 0.5 /* of the L2: the rest is left to what streams through */

/* What is known of the whole grid. */
struct settlement {
    struct memory_totals totals;
    bool holds_all, holds_shared, holds_far; /* the L2 does */
    double kept;                             /* share of what is touched that the L2 holds */
};

static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 1;
}

/* The number of sectors that more, or fewer, come from device memory. It gives pairs: of what it
 * gives, the instruction has asked for a part only, and hits are of what was asked for. */
static void move_reads(struct sample_traffic *sum, double first, double again) {
    double fetched = sum->read_first + sum->read_again;
    double asked = fetched > 0 ? (sum->l2_sectors - sum->l2_hits) / fetched : 0;
    sum->read_first += first;
    sum->read_again += again;
    sum->l2_hits -= asked * (first + again);
}

/* An instruction's first touches become this many, and others shrink as those of its buffer do;
 * what another block has fetched is a hit. */
static void shrink(struct sample_traffic *sum, double read_first, const struct memory_extent *grid,
                   const struct memory_extent *weighted) {
    move_reads(sum, read_first - sum->read_first, 0);
    sum->written_first *= ratio(grid->written_sectors, weighted->written_sectors);
    sum->ideal_bytes *= ratio(grid->ideal_bytes, weighted->ideal_bytes);
}

/* What the whole L2 keeps does not come again. */
static void keep(struct sample_traffic *sum, double read, double written) {
    move_reads(sum, 0, -read);
    sum->written_again -= written;
}

/* What a block far away has fetched or written is in the L2 no more. */
static void lose(struct sample_traffic *sum, const struct sample_traffic *by_sample, double share) {
    move_reads(sum, 0, share * (by_sample->read_first - sum->read_first));
    sum->written_again += share * (by_sample->written_first - sum->written_first);
}

static void settle_traffic(const struct settlement *settlement,
                           const struct memory_estimate *window, double read_first,
                           const struct memory_extent *grid, const struct memory_extent *weighted,
                           struct sample_traffic *sum) {
    const struct sample_traffic by_sample = *sum;
    shrink(sum, read_first, grid, weighted);
    if (!settlement->holds_all && !settlement->holds_far)
        lose(sum, &by_sample, window->far_share * (1 - window->random * settlement->kept));
    if (settlement->holds_all)
        keep(sum, sum->read_again, sum->written_again);
    else if (settlement->holds_shared)
        keep(sum, sum->read_shared, sum->written_shared);
}

/* ---- one set of sums: the sample's, or those without a group --------------------------------- */

enum { WHOLE = CAPTURE_GROUPS };

static struct sample_traffic *traffic_of(const struct sample *sample, size_t pc, unsigned group) {
    struct sample_insn *insn = &sample->insns[pc];
    return group == WHOLE ? &insn->traffic : &insn->without[group];
}

static struct memory_extent grid_of(const struct memory_estimate *estimate, unsigned group) {
    if (group != WHOLE)
        return estimate->without[group];
    return (struct memory_extent){estimate->read_sectors, estimate->written_sectors,
                                  estimate->ideal_bytes};
}

static void add_first(struct memory_extent *sum, const struct sample_traffic *traffic) {
    sum->read_sectors += traffic->read_first;
    sum->written_sectors += traffic->written_first;
    sum->ideal_bytes += traffic->ideal_bytes;
}

/* First touches by window, each by its block's weight. The caches have added up those of the whole
 * sample; those without a group go by their instructions' windows. */
static struct memory_extent *weigh_windows(const struct launch *launch, unsigned group) {
    const struct sample *sample = launch->sample;
    struct memory_extent *weighted = mem_calloc(launch->allocation_count + 1, sizeof *weighted);
    for (uint32_t i = 0; i < launch->allocation_count && group == WHOLE; i++) {
        const struct memory_estimate *e = memory_system_window(launch->caches, i);
        weighted[i] =
            (struct memory_extent){e->read_weighted, e->written_weighted, e->ideal_weighted};
    }
    for (size_t pc = 0; pc < launch->program->length && group != WHOLE; pc++)
        add_first(&weighted[sample->insns[pc].window], traffic_of(sample, pc, group));
    return weighted;
}

/* Instructions with several buffers were shrunk by the last one's share: the sums are made right.
 */
static void match(const struct sample *sample, size_t length, unsigned group,
                  const struct memory_extent *grid) {
    struct memory_extent sum = {0};
    for (size_t pc = 0; pc < length; pc++)
        add_first(&sum, traffic_of(sample, pc, group));
    double more = ratio(grid->read_sectors, sum.read_sectors);
    for (size_t pc = 0; pc < length; pc++) {
        struct sample_traffic *traffic = traffic_of(sample, pc, group);
        shrink(traffic, more * traffic->read_first, grid, &sum);
    }
}

/* ---- whose first touches other blocks have made -----------------------------------------------
 */

/* Of a window: the share of what its instructions ask for that another block of the sample has come
 * to before, and how often that share must be taken, because in the whole grid there are so many
 * more blocks. */
struct lateness {
    double mean, times;
};

/* How often an instruction comes to what another block of the sample has come to before; by the
 * rule of succession, so that a few meetings do not decide. */
static double late_share(const struct request_stats *requests, double mean) {
    return mean > 0 ? (requests->after + 1) / ((double)requests->asked + 1 / mean) : 1;
}

/* What an instruction is the first to touch in the whole grid, of what no block or another block
 * had touched before in the sample, whose blocks do not run in the order of the grid's. */
static double first_touches(const struct request_stats *requests,
                            const struct sample_traffic *traffic, struct lateness lateness) {
    double left = 1 - lateness.times * late_share(requests, lateness.mean);
    return fmax(0, left) * (traffic->read_first + traffic->read_met);
}

static double mean_late_share(const struct launch *launch, uint64_t window) {
    const struct request_stats *requests = memory_system_requests(launch->caches);
    double after = 0, asked = 0;
    for (size_t pc = 0; pc < launch->program->length; pc++)
        if (launch->sample->insns[pc].window == window) {
            after += requests[pc].after;
            asked += (double)requests[pc].asked;
        }
    return asked > 0 ? after / asked : 0;
}

static double window_touches(const struct launch *launch, unsigned group, uint64_t window,
                             struct lateness lateness) {
    const struct request_stats *requests = memory_system_requests(launch->caches);
    double touches = 0;
    for (size_t pc = 0; pc < launch->program->length; pc++)
        if (launch->sample->insns[pc].window == window)
            touches +=
                first_touches(&requests[pc], traffic_of(launch->sample, pc, group), lateness);
    return touches;
}

static double sampled_touches(const struct launch *launch, unsigned group, uint64_t window) {
    double touches = 0;
    for (size_t pc = 0; pc < launch->program->length; pc++)
        if (launch->sample->insns[pc].window == window)
            touches += traffic_of(launch->sample, pc, group)->read_first;
    return touches;
}

/* Such that of the window's first touches in the sample the share `left` is first in the grid. */
static struct lateness find_lateness(const struct launch *launch, unsigned group, uint64_t window,
                                     double left) {
    enum { STEPS = 40 };
    struct lateness late = {mean_late_share(launch, window), 0};
    double sectors = left * sampled_touches(launch, group, window), low = 0, high = 1;
    if (window_touches(launch, group, window, late) <= sectors)
        return late;
    for (late.times = high;
         window_touches(launch, group, window, late) > sectors && high < MOST_TIMES;)
        late.times = high *= 2;
    for (unsigned step = 0; step < STEPS; step++) {
        late.times = (low + high) / 2;
        *(window_touches(launch, group, window, late) > sectors ? &low : &high) = late.times;
    }
    return late;
}

/* Of what became dirty, the share that is flushed before the launch ends. */
static double find_flushed(const struct sample *sample, size_t length, unsigned group,
                           const struct settlement *settlement) {
    double dirty = 0, stays = settlement->totals.dirty_share * settlement->totals.l2_sectors;
    for (size_t pc = 0; pc < length; pc++) {
        const struct sample_traffic *sum = traffic_of(sample, pc, group);
        dirty += sum->written_first + sum->written_again;
    }
    return dirty > stays && !settlement->holds_all ? (dirty - stays) / dirty : 0;
}

static double l2_hits_of(const struct sample_traffic *sum) {
    return fmax(0, fmin(sum->l2_hits, sum->l2_sectors));
}

static double dram_reads_of(const struct sample_traffic *sum) {
    return fmax(0, sum->read_first + sum->read_again);
}

static double dram_writes_of(const struct sample_traffic *sum, double flushed_share) {
    return fmax(0, flushed_share * (sum->written_first + sum->written_again));
}

static void add_figures(const struct sample_traffic *sum, double flushed_share,
                        struct sample_figures *figures) {
    figures->l1_sectors += sum->l1_sectors;
    figures->l1_hits += sum->l1_hits;
    figures->l2_sectors += sum->l2_sectors;
    figures->l2_hits += l2_hits_of(sum);
    figures->dram_sectors += dram_reads_of(sum) + dram_writes_of(sum, flushed_share);
    figures->ideal_bytes += sum->ideal_bytes;
}

/* Returns the share that is flushed. */
static double settle(const struct launch *launch, unsigned group,
                     const struct settlement *settlement, struct sample_figures *figures) {
    const struct sample *sample = launch->sample;
    size_t length = launch->program->length;
    cleanup_free struct memory_extent *weighted = weigh_windows(launch, group);
    cleanup_free struct lateness *late = mem_calloc(launch->allocation_count + 1, sizeof *late);
    const struct request_stats *requests = memory_system_requests(launch->caches);
    for (uint32_t i = 0; i < launch->allocation_count; i++) {
        struct memory_extent grid = grid_of(memory_system_window(launch->caches, i), group);
        late[i] =
            find_lateness(launch, group, i, ratio(grid.read_sectors, weighted[i].read_sectors));
    }
    for (size_t pc = 0; pc < length; pc++) {
        uint64_t window = sample->insns[pc].window;
        const struct memory_estimate *estimate = memory_system_window(launch->caches, window);
        struct sample_traffic *traffic = traffic_of(sample, pc, group);
        struct memory_extent grid = grid_of(estimate, group);
        settle_traffic(settlement, estimate, first_touches(&requests[pc], traffic, late[window]),
                       &grid, &weighted[window], traffic);
    }
    struct memory_extent all = grid_of(&settlement->totals.all, group);
    match(sample, length, group, &all);
    double flushed_share = find_flushed(sample, length, group, settlement);
    for (size_t pc = 0; pc < length; pc++)
        add_figures(traffic_of(sample, pc, group), flushed_share, figures);
    return flushed_share;
}

/* ---- the door -------------------------------------------------------------------------------- */

static void estimate_memory(const struct launch *launch, struct memory_totals *totals) {
    const struct sample *sample = launch->sample;
    cleanup_free uint64_t *places = mem_calloc(sample->count + 1, sizeof *places);
    for (uint64_t i = 0; i < sample->count; i++)
        places[i] = sample->blocks[i].index;
    const struct capture_sample captured = {.strata = sample->strata,
                                            .places = places,
                                            .groups = sample->groups,
                                            .count = sample->count,
                                            .blocks = sample->population,
                                            .without = sample->without};
    memory_system_estimate(launch->caches, &captured, totals);
}

void sample_settle(const struct launch *launch) {
    struct sample *sample = launch->sample;
    struct settlement settlement;
    estimate_memory(launch, &settlement.totals);
    const struct memory_totals *totals = &settlement.totals;
    settlement.holds_all = totals->distinct_sectors <= totals->l2_sectors * FULL_SHARE;
    settlement.holds_shared = totals->shared_sectors <= totals->l2_sectors * SHARED_SHARE;
    settlement.holds_far = totals->far_sectors <= totals->l2_sectors * SHARED_SHARE;
    settlement.kept = fmin(1, ratio(totals->l2_sectors, totals->distinct_sectors));
    for (size_t pc = 0; pc < launch->program->length; pc++) {
        struct sample_insn *insn = &sample->insns[pc];
        insn->read_by_sample = insn->traffic.read_first + insn->traffic.read_again;
    }
    sample->flushed_share = settle(launch, WHOLE, &settlement, &sample->figures);
    for (unsigned g = 0; g < CAPTURE_GROUPS; g++)
        settle(launch, g, &settlement, &sample->figures_without[g]);
}

double sample_fetched_share(const struct sample *sample, uint32_t pc) {
    const struct sample_insn *insn = &sample->insns[pc];
    return fmin(1, ratio(dram_reads_of(&insn->traffic), insn->read_by_sample));
}

void sample_tally(const struct sample *sample, uint32_t pc, struct counters *counters) {
    const struct sample_insn *insn = &sample->insns[pc];
    const struct sample_traffic *sum = &insn->traffic;
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        *counter_at(counters, i) += (uint64_t)llround(insn->counters[i]);
    counters->l1_sectors += (uint64_t)llround(sum->l1_sectors);
    counters->l1_hits += (uint64_t)llround(sum->l1_hits);
    counters->l2_sectors += (uint64_t)llround(sum->l2_sectors);
    counters->l2_hits += (uint64_t)llround(l2_hits_of(sum));
    counters->dram_read_sectors += (uint64_t)llround(dram_reads_of(sum));
    counters->dram_write_sectors += (uint64_t)llround(dram_writes_of(sum, sample->flushed_share));
    counters->ideal_bytes += (uint64_t)llround(sum->ideal_bytes);
}
