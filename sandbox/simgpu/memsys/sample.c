/* Stratified sampling of blocks.
 *
 * Blocks at the edges of the grid do other work than those inside: in each dimension the first, the
 * last and all others are classes, and each combination of classes is a stratum of which at least
 * two blocks are taken, or one where there is only one. Inside a stratum eight blocks or more are
 * taken from each of equal parts, at places that a hash chooses: no pattern of the kernel can agree
 * with it, the same launch takes the same blocks, and neighbours come as often as by chance, which
 * is what capture_recapture.c needs to see what they share. A block stands for population / taken
 * of its stratum. What that comes to in all is in sample_settle.c, and how far off it may be by
 * chance in sample_error.c: for the latter blocks are in groups, and there are sums without each.
 */
#include "sandbox/simgpu/memsys/sample.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"
#include "sandbox/simgpu/memsys/tally.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/stats.h"

#include <stdlib.h>
#include <string.h>

enum { PART_BLOCKS = 8 };

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

static double weight_of(const struct capture_stratum *stratum) {
    return (double)stratum->population / (double)stratum->taken;
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
                              .weight = weight_of(of),
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

/* Blocks of a stratum take turns, so that a group has some from everywhere, and no group has all of
 * a stratum. Where all blocks of a stratum were taken, chance has no part. */
static void make_groups(struct sample *sample) {
    uint64_t seen[SAMPLE_STRATA] = {0};
    sample->groups = mem_alloc(sample->count);
    for (unsigned g = 0; g < CAPTURE_GROUPS; g++)
        memcpy(sample->without[g], sample->strata, sizeof sample->strata);
    for (uint64_t i = 0; i < sample->count; i++) {
        unsigned s = sample->blocks[i].stratum;
        sample->groups[i] = CAPTURE_GROUPS;
        if (sample->strata[s].taken == sample->strata[s].population)
            continue;
        uint64_t turn = seen[s]++;
        sample->groups[i] = (uint8_t)((s + turn + turn / CAPTURE_GROUPS) % CAPTURE_GROUPS);
        sample->without[sample->groups[i]][s].taken--;
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
    make_groups(sample);
    return sample;
}

void sample_free(struct sample *sample) {
    if (!sample)
        return;
    free(sample->blocks);
    free(sample->insns);
    free(sample->groups);
    free(sample);
}

static void take_traffic(struct sample_traffic *sum, const struct cache_stats *cache,
                         double weight) {
    sum->l1_sectors += weight * (double)cache->l1_sectors;
    sum->l1_hits += weight * (double)cache->l1_hits;
    sum->l2_sectors += weight * (double)cache->l2_sectors;
    sum->l2_hits += weight * (double)cache->l2_hits;
    sum->read_first += weight * (double)cache->read_first;
    sum->read_again += weight * (double)cache->read_again;
    sum->written_first += weight * (double)cache->written_first;
    sum->written_again += weight * (double)cache->written_again;
    sum->read_shared += weight * (double)cache->read_shared;
    sum->read_met += weight * (double)cache->read_met;
    sum->written_shared += weight * (double)cache->written_shared;
    sum->ideal_bytes += weight * (double)cache->ideal_bytes;
}

static void take_insn(struct sample *sample, const struct sample_block *taken, size_t pc,
                      const struct counters *counters, const struct cache_stats *cache) {
    struct sample_insn *sum = &sample->insns[pc];
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        sum->counters[i] += taken->weight * (double)counter_value(counters, i);
    if (!cache->l1_sectors && !cache->l2_sectors)
        return;
    take_traffic(&sum->traffic, cache, taken->weight);
    for (unsigned g = 0; g < CAPTURE_GROUPS; g++)
        if (sample->groups[taken - sample->blocks] != g)
            take_traffic(&sum->without[g], cache, weight_of(&sample->without[g][taken->stratum]));
    if (cache->window)
        sum->window = cache->window;
}

void sample_take(struct sample *sample, const struct sample_block *taken,
                 const struct host_thread *host_thread) {
    const struct program *program = host_thread->launch->program;
    struct counters block = {0};
    uint64_t l2_sectors = 0;
    for (size_t pc = 0; pc < program->length; pc++) {
        struct memory_stats *memory = &host_thread->memory[pc * MEMORY_CLASS_COUNT];
        if (!host_thread->stats[pc].warps)
            continue;
        struct counters insn = {0};
        tally_insn(&program->code[pc], &host_thread->stats[pc], memory, &insn);
        take_insn(sample, taken, pc, &insn, &host_thread->cache[pc]);
        l2_sectors += host_thread->cache[pc].l2_sectors;
        for (size_t i = 0; i < COUNTER_COUNT; i++)
            *counter_at(&block, i) += counter_value(&insn, i);
        host_thread->stats[pc] = (struct insn_stats){0};
        memset(memory, 0, MEMORY_CLASS_COUNT * sizeof *memory);
        host_thread->cache[pc] = (struct cache_stats){0};
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
