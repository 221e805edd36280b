/* Blocks that differ, dealt out to multiprocessors.
 *
 * A multiprocessor whose block ends gets the next one of the grid. Those resident on it go on at
 * the same rate, which is what the multiprocessor executes by their number, and at most what a
 * block reaches by itself. Where a few blocks execute much more than others, multiprocessors that
 * got them are busy when the rest has nothing left to do; how long follows from the order in which
 * the blocks come. Of a sample, the blocks that one stands for do as much as that one.
 *
 * Work is counted in executed instructions: which of them wait for memory is the replay's to know.
 */
#include "sandbox/simgpu/time/block_load_balance.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_BLOCKS = 1 << 14, /* with more, differences have levelled out on all SMs */
    MOST_RESIDENT = 64,
};
static const double EVEN = 1.1; /* the heaviest over the average: not worth a look */

struct multiprocessor {
    double clock;    /* up to which its progress is known */
    double progress; /* instructions that a block resident since the beginning has executed */
    double ends[MOST_RESIDENT]; /* progress at which its blocks end */
    unsigned live;
};

static double rate_of(const struct block_load_balance_input *input, unsigned live) {
    double share = input->rate / live;
    return share < input->alone ? share : input->alone;
}

static unsigned first_to_end(const struct multiprocessor *sm) {
    unsigned first = 0;
    for (unsigned i = 1; i < sm->live; i++)
        if (sm->ends[i] < sm->ends[first])
            first = i;
    return first;
}

static double next_end(const struct block_load_balance_input *input,
                       const struct multiprocessor *sm) {
    if (!sm->live)
        return INFINITY;
    return sm->clock + (sm->ends[first_to_end(sm)] - sm->progress) / rate_of(input, sm->live);
}

/* Ends the SM's first block; when that was. */
static double end_block(const struct block_load_balance_input *input, struct multiprocessor *sm) {
    unsigned first = first_to_end(sm);
    sm->clock = next_end(input, sm);
    sm->progress = sm->ends[first];
    sm->ends[first] = sm->ends[--sm->live];
    return sm->clock;
}

/* When the last of the blocks has ended. */
static double makespan(const struct block_load_balance_input *input, const double *work) {
    cleanup_free struct multiprocessor *sms = mem_calloc(input->sms, sizeof *sms);
    cleanup_free double *ends = mem_calloc(input->sms, sizeof *ends);
    uint64_t next = 0;
    for (unsigned slot = 0; slot < input->resident; slot++)
        for (unsigned i = 0; i < input->sms && next < input->blocks; i++)
            sms[i].ends[sms[i].live++] = work[next++];
    for (unsigned i = 0; i < input->sms; i++)
        ends[i] = next_end(input, &sms[i]);
    double clock = 0;
    for (uint64_t ended = 0; ended < input->blocks; ended++) {
        unsigned first = 0;
        for (unsigned i = 1; i < input->sms; i++)
            if (ends[i] < ends[first])
                first = i;
        struct multiprocessor *sm = &sms[first];
        clock = end_block(input, sm);
        if (next < input->blocks)
            sm->ends[sm->live++] = sm->progress + work[next++];
        ends[first] = next_end(input, sm);
    }
    return clock;
}

static int compare_places(const void *a, const void *b) {
    uint64_t first = ((const struct block_work *)a)->index;
    uint64_t second = ((const struct block_work *)b)->index;
    return first < second ? -1 : first > second;
}

/* By block; returns the average. */
static double fill_work(const struct block_load_balance_input *input, double *work) {
    const struct warp_trace *trace = input->trace;
    qsort(trace->works, trace->work_count, sizeof *trace->works, compare_places);
    double stood_for = 0, sum = 0;
    uint64_t next = 0;
    for (size_t i = 0; i < trace->work_count; i++) {
        stood_for += trace->works[i].weight;
        bool last = i + 1 == trace->work_count;
        while (next < input->blocks && (last || (double)next + 0.5 < stood_for)) {
            work[next++] = (double)trace->works[i].instructions;
            sum += (double)trace->works[i].instructions;
        }
    }
    return sum / (double)input->blocks;
}

double block_load_balance_factor(const struct block_load_balance_input *input) {
    const struct warp_trace *trace = input->trace;
    bool even = (double)trace->outlier.instructions * trace->weight <= EVEN * trace->work;
    if (even || !trace->work_count || !input->blocks || input->blocks > MOST_BLOCKS ||
        !input->resident || input->resident > MOST_RESIDENT || !(input->rate > 0) ||
        !(input->alone > 0))
        return 1;
    cleanup_free double *work = mem_calloc(input->blocks, sizeof *work);
    double average = fill_work(input, work);
    double uneven = makespan(input, work);
    for (uint64_t i = 0; i < input->blocks; i++)
        work[i] = average;
    return fmax(1, uneven / makespan(input, work));
}
