/* Stratified sampling of blocks.
 *
 * Blocks at the edges of the grid do other work than those inside: in each dimension the first, the
 * last and all others are classes, and each combination of classes is a stratum of which at least
 * two blocks are taken, or one where there is only one. Inside a stratum eight blocks or more are
 * taken from each of equal parts, at places that a hash chooses: no pattern of the kernel can agree
 * with it, the same launch takes the same blocks, and neighbours come as often as by chance, which
 * is what capture.c needs to see what they share. A block stands for population / taken of its
 * stratum. The standard error is that of stratified sampling (Cochran, Sampling Techniques, 5.3).
 *
 * First touches of memory do not scale like that, because blocks share data: capture.c estimates
 * what the grid touches, and the instructions' first touches shrink to that, buffer by buffer.
 * Caches that are smaller in proportion push out what the whole one would hold: nothing comes again
 * or is flushed where the L2 holds all that is touched, and what many blocks use stays where that
 * takes no more than half of it. */
#include "sandbox/simgpu/sample.h"

#include "grader/base/memory.h"
#include "grader/base/mix.h"
#include "sandbox/simgpu/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PART_BLOCKS = 8 };
#define FULL_SHARE   0.9 /* of the L2: more of it loses lines to sets that are full */
#define SHARED_SHARE 0.5 /* of the L2: the rest is left to what streams through */

/* One dimension: where its classes begin and how many blocks they have. */
struct classes {
    uint32_t first[3], count[3];
};

static struct classes classes_of(uint32_t extent) {
    return (struct classes){.first = {0, 1, extent - 1},
                            .count = {1, extent > 2 ? extent - 2 : 0, extent > 1}};
}

static int compare_blocks(const void *a, const void *b) {
    const struct sample_block *x = a, *y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

static uint64_t taken_of(uint64_t population, uint64_t wanted, uint64_t all) {
    uint64_t taken = (uint64_t)((double)population * (double)wanted / (double)all);
    if (taken < 2)
        taken = 2;
    return taken < population ? taken : population;
}

static bool is_taken(const uint64_t *places, uint64_t count, uint64_t place) {
    for (uint64_t i = 0; i < count; i++)
        if (places[i] == place)
            return true;
    return false;
}

/* `count` different numbers, from..to - 1, at most 2 * PART_BLOCKS of them. */
static void choose_places(uint64_t *places, uint64_t count, uint64_t from, uint64_t to,
                          uint64_t *draw) {
    for (uint64_t i = 0; i < count;) {
        uint64_t place = from + mix_word((*draw)++, 1) % (to - from);
        if (!is_taken(places, i, place))
            places[i++] = place;
    }
}

static uint64_t share_of(uint64_t whole, uint64_t part, uint64_t parts) {
    return whole / parts * part + whole % parts * part / parts;
}

static void take_block(struct sample *sample, const struct classes *classes, unsigned stratum,
                       const struct dim3 grid, uint64_t at) {
    const unsigned class[3] = {stratum % 3, stratum / 3 % 3, stratum / 9};
    const struct capture_stratum *of = &sample->strata[stratum];
    uint64_t place[3];
    for (unsigned d = 0; d < 3; d++) {
        uint32_t extent = classes[d].count[class[d]];
        place[d] = classes[d].first[class[d]] + at % extent;
        at /= extent;
    }
    sample->blocks[sample->count++] =
        (struct sample_block){.index = (place[2] * grid.y + place[1]) * grid.x + place[0],
                              .weight = (double)of->population / (double)of->taken,
                              .stratum = (uint8_t)stratum};
}

static void take_stratum(struct sample *sample, const struct classes *classes, unsigned stratum,
                         const struct dim3 grid) {
    uint64_t population = sample->strata[stratum].population;
    uint64_t taken = sample->strata[stratum].taken, draw = (uint64_t)stratum << 32;
    uint64_t parts = taken > PART_BLOCKS ? taken / PART_BLOCKS : taken > 0;
    for (uint64_t i = 0; i < parts; i++) {
        uint64_t places[2 * PART_BLOCKS];
        uint64_t first = share_of(taken, i, parts), end = share_of(taken, i + 1, parts);
        /* cut by what is taken, so that no part is asked for more blocks than it has */
        choose_places(places, end - first, share_of(population, first, taken),
                      share_of(population, end, taken), &draw);
        for (uint64_t j = 0; j < end - first; j++)
            take_block(sample, classes, stratum, grid, places[j]);
    }
}

struct sample *sample_create(const struct launch *launch, uint64_t wanted) {
    struct dim3 grid = launch->request->grid;
    struct classes classes[3] = {classes_of(grid.x), classes_of(grid.y), classes_of(grid.z)};
    struct sample *sample = mem_zalloc(sizeof *sample);
    uint64_t count = 0;
    sample->population = launch->block_count;
    for (unsigned s = 0; s < SAMPLE_STRATA; s++) {
        uint64_t population = (uint64_t)classes[0].count[s % 3] * classes[1].count[s / 3 % 3] *
                              classes[2].count[s / 9];
        sample->strata[s].population = population;
        sample->strata[s].taken = taken_of(population, wanted, launch->block_count);
        count += sample->strata[s].taken;
    }
    if (count >= launch->block_count) {
        free(sample);
        return NULL;
    }
    sample->blocks = mem_calloc(count, sizeof *sample->blocks);
    sample->insns = mem_calloc(launch->program->length, sizeof *sample->insns);
    for (unsigned s = 0; s < SAMPLE_STRATA; s++)
        take_stratum(sample, classes, s, grid);
    qsort(sample->blocks, sample->count, sizeof *sample->blocks, compare_blocks);
    return sample;
}

void sample_free(struct sample *sample) {
    if (!sample)
        return;
    free(sample->blocks);
    free(sample->insns);
    free(sample);
}

static void take_insn(struct sample_insn *sum, const struct counters *counters,
                      const struct cache_stats *cache, double weight) {
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        sum->counters[i] += weight * (double)counter_value(counters, i);
    sum->l1_sectors += weight * (double)cache->l1_sectors;
    sum->l1_hits += weight * (double)cache->l1_hits;
    sum->l2_sectors += weight * (double)cache->l2_sectors;
    sum->l2_hits += weight * (double)cache->l2_hits;
    sum->read_first += weight * (double)cache->read_first;
    sum->read_again += weight * (double)cache->read_again;
    sum->written_first += weight * (double)cache->written_first;
    sum->written_again += weight * (double)cache->written_again;
    sum->read_shared += weight * (double)cache->read_shared;
    sum->written_shared += weight * (double)cache->written_shared;
    sum->ideal_bytes += weight * (double)cache->ideal_bytes;
    if (cache->window)
        sum->window = cache->window;
}

void sample_take(struct sample *sample, const struct sample_block *taken, const struct host *host) {
    const struct program *program = host->launch->program;
    struct counters block = {0};
    uint64_t l2_sectors = 0;
    for (size_t pc = 0; pc < program->length; pc++) {
        struct memory_stats *memory = &host->memory[pc * MEMORY_CLASS_COUNT];
        if (!host->stats[pc].warps)
            continue;
        struct counters insn = {0};
        tally_insn(&program->code[pc], &host->stats[pc], memory, &insn);
        take_insn(&sample->insns[pc], &insn, &host->cache[pc], taken->weight);
        l2_sectors += host->cache[pc].l2_sectors;
        for (size_t i = 0; i < COUNTER_COUNT; i++)
            *counter_at(&block, i) += counter_value(&insn, i);
        host->stats[pc] = (struct insn_stats){0};
        memset(memory, 0, MEMORY_CLASS_COUNT * sizeof *memory);
        host->cache[pc] = (struct cache_stats){0};
    }
    const double judged[SAMPLE_JUDGED] = {
        (double)block.warp_instructions, (double)block.thread_instructions,
        (double)(block.global_load_sectors + block.global_store_sectors),
        (double)(block.shared_load_wavefronts + block.shared_store_wavefronts), (double)l2_sectors};
    for (unsigned i = 0; i < SAMPLE_JUDGED; i++) {
        sample->judged[taken->stratum].sums[i] += judged[i];
        sample->judged[taken->stratum].squares[i] += judged[i] * judged[i];
    }
}

double sample_error(const struct sample *sample) {
    double worst = 0;
    for (unsigned i = 0; i < SAMPLE_JUDGED; i++) {
        double variance = 0, total = 0;
        for (unsigned s = 0; s < SAMPLE_STRATA; s++) {
            double n = (double)sample->strata[s].taken, all = (double)sample->strata[s].population;
            double sum = sample->judged[s].sums[i];
            if (n == 0)
                continue;
            total += all * sum / n;
            double spread = n > 1 ? (sample->judged[s].squares[i] - sum * sum / n) / (n - 1) : 0;
            variance += spread > 0 ? all * (all - n) * spread / n : 0;
        }
        if (total > 0 && sqrt(variance) / total > worst)
            worst = sqrt(variance) / total;
    }
    return worst;
}

static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 1;
}

/* An instruction's first touches shrink as those of its buffer do; what another block has fetched
 * is a hit. */
static void shrink(struct sample_insn *sum, const struct memory_estimate *part) {
    double read = ratio(part->read_sectors, part->read_weighted);
    sum->l2_hits += (1 - read) * sum->read_first;
    sum->read_first *= read;
    sum->written_first *= ratio(part->written_sectors, part->written_weighted);
    sum->ideal_bytes *= ratio(part->ideal_bytes, part->ideal_weighted);
}

/* What the whole L2 keeps does not come again. */
static void keep(struct sample_insn *sum, double read, double written) {
    sum->read_again -= read;
    sum->l2_hits += read;
    sum->written_again -= written;
}

/* Instructions with several buffers were shrunk by the last one's share: the sums are made right.
 */
static void match(struct sample *sample, size_t length, const struct memory_estimate *all) {
    double read = 0, written = 0, bytes = 0;
    for (size_t pc = 0; pc < length; pc++) {
        read += sample->insns[pc].read_first;
        written += sample->insns[pc].written_first;
        bytes += sample->insns[pc].ideal_bytes;
    }
    struct memory_estimate part = *all;
    part.read_weighted = read;
    part.written_weighted = written;
    part.ideal_weighted = bytes;
    for (size_t pc = 0; pc < length; pc++)
        shrink(&sample->insns[pc], &part);
}

/* What a block far away has fetched or written is in the L2 no more. */
static void lose(struct sample_insn *sum, const struct sample_insn *by_sample, double share) {
    double read = share * (by_sample->read_first - sum->read_first);
    sum->read_again += read;
    sum->l2_hits -= read;
    sum->written_again += share * (by_sample->written_first - sum->written_first);
}

static void estimate(const struct launch *launch, struct memory_totals *totals) {
    const struct sample *sample = launch->sample;
    cleanup_free uint64_t *places = mem_calloc(sample->count + 1, sizeof *places);
    for (uint64_t i = 0; i < sample->count; i++)
        places[i] = sample->blocks[i].index;
    const struct capture_sample captured = {.strata = sample->strata,
                                            .places = places,
                                            .count = sample->count,
                                            .blocks = sample->population};
    memory_system_estimate(launch->caches, &captured, totals);
}

void sample_settle(const struct launch *launch) {
    struct sample *sample = launch->sample;
    struct memory_totals totals;
    estimate(launch, &totals);
    size_t length = launch->program->length;
    bool holds_all = totals.distinct_sectors <= totals.l2_sectors * FULL_SHARE;
    bool holds_shared = totals.shared_sectors <= totals.l2_sectors * SHARED_SHARE;
    bool holds_far = totals.far_sectors <= totals.l2_sectors * SHARED_SHARE;
    double kept = fmin(1, ratio(totals.l2_sectors, totals.distinct_sectors));
    double dirty = 0, stays = totals.dirty_share * totals.l2_sectors;
    for (size_t pc = 0; pc < length; pc++) {
        struct sample_insn *sum = &sample->insns[pc];
        sum->read_by_sample = sum->read_first + sum->read_again;
        const struct memory_estimate *window = memory_system_window(launch->caches, sum->window);
        const struct sample_insn by_sample = *sum;
        shrink(sum, window);
        if (!holds_all && !holds_far)
            lose(sum, &by_sample, window->far_share * (1 - window->random * kept));
        if (holds_all)
            keep(sum, sum->read_again, sum->written_again);
        else if (holds_shared)
            keep(sum, sum->read_shared, sum->written_shared);
    }
    match(sample, length, &totals.all);
    for (size_t pc = 0; pc < length; pc++)
        dirty += sample->insns[pc].written_first + sample->insns[pc].written_again;
    sample->flushed_share = dirty > stays && !holds_all ? (dirty - stays) / dirty : 0;
}

double sample_fetched_share(const struct sample *sample, uint32_t pc) {
    const struct sample_insn *sum = &sample->insns[pc];
    double fetched = fmax(0, sum->read_first + sum->read_again);
    return fmin(1, ratio(fetched, sum->read_by_sample));
}

void sample_tally(const struct sample *sample, uint32_t pc, struct counters *counters) {
    const struct sample_insn *sum = &sample->insns[pc];
    double written = sample->flushed_share * (sum->written_first + sum->written_again);
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        *counter_at(counters, i) += (uint64_t)llround(sum->counters[i]);
    counters->l1_sectors += (uint64_t)llround(sum->l1_sectors);
    counters->l1_hits += (uint64_t)llround(sum->l1_hits);
    counters->l2_sectors += (uint64_t)llround(sum->l2_sectors);
    counters->l2_hits += (uint64_t)llround(fmax(0, fmin(sum->l2_hits, sum->l2_sectors)));
    counters->dram_read_sectors += (uint64_t)llround(fmax(0, sum->read_first + sum->read_again));
    counters->dram_write_sectors += (uint64_t)llround(fmax(0, written));
    counters->ideal_bytes += (uint64_t)llround(sum->ideal_bytes);
}
