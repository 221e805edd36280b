/* What a request does to the caches: sector caches of lines of 128 bytes, four sectors of 32 each.
 *
 * The rules were read off Nsight Compute's counters on an H200 (tests/bench/model/h200.json). L1,
 * one an SM: loads take a line and fetch the sectors that they miss; stores take a line, too, and
 * hit when its tag was there; they go through to the L2 at once, and so do atomics, which the L1
 * never holds. L2: a load that misses a sector fetches the aligned pair of sectors that it belongs
 * to; a store makes its sectors valid and dirty without fetching; dirty sectors go to device memory
 * when their line is evicted. What is still dirty when the launch ends stays. Both caches are empty
 * at the beginning.
 *
 * Which line goes is up to cache_tags.c; who waits for whom, mshr.c. Everything here is
 * called from one host thread. */
#include "sandbox/simgpu/memsys/cache.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/memsys/atomic_traffic.h"
#include "sandbox/simgpu/memsys/count.h"
#include "sandbox/simgpu/memsys/footprint.h"
#include "sandbox/simgpu/memsys/mshr.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/sass/write_combining.h"
#include "sandbox/simgpu/state/access_shape.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"
#include "sandbox/simgpu/state/word_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { L1_SETS = 64 };

/* Two partitions hold what both halves of the chip read twice: measured on an H200, 36 of 60 MB. */
static uint64_t effective_l2(const struct launch *launch, uint64_t bytes) {
    unsigned capability = (unsigned)launch->request->device->compute_capability;
    bool two_partitions = capability == 80 || capability == 90 || capability == 100;
    return two_partitions ? bytes * 3 / 5 : bytes;
}

struct memory_system *memory_system_create(const struct launch *launch, unsigned sms,
                                           uint64_t running, uint64_t l1_bytes, uint64_t l2_bytes) {
    struct memory_system *system = mem_zalloc(sizeof *system);
    system->sms = sms;
    system->running = running;
    system->l1 = mem_calloc(sms, sizeof *system->l1);
    for (unsigned i = 0; i < sms; i++)
        cache_open(&system->l1[i], l1_bytes, L1_SETS);
    uint64_t capacity = effective_l2(launch, l2_bytes);
    system->full_sectors =
        (double)effective_l2(launch, (uint64_t)launch->request->device->l2_bytes) / SECTOR_BYTES;
    uint32_t sets = 1;
    while ((uint64_t)sets * 2 * 16 * LINE_BYTES <= capacity)
        sets *= 2;
    cache_open(&system->l2, capacity, sets);
    system->requests = mem_calloc(launch->program->length, sizeof *system->requests);
    system->atomics = atomic_traffic_create(launch);
    system->combining_runs = write_combining_find_runs(launch->program);
    system->count = launch->allocation_count;
    system->footprints = mem_calloc(system->count, sizeof *system->footprints);
    uint32_t line = 1024;
    for (uint32_t i = WINDOW_PARAM; i < system->count; i++)
        if (launch->allocations[i].length)
            footprint_open(&system->footprints[i], &system->pieces_of_maps,
                           launch->allocations[i].length, &line);
    system->local_first_line = line;
    system->next_dense = 1;
    return system;
}

void memory_system_free(struct memory_system *system) {
    if (!system)
        return;
    for (unsigned i = 0; i < system->sms; i++)
        cache_close(&system->l1[i]);
    cache_close(&system->l2);
    for (uint32_t i = 0; i < system->count; i++)
        footprint_close(&system->footprints[i]);
    piece_arena_free(&system->pieces_of_maps);
    free(system->l1);
    free(system->requests);
    free(system->combining_runs);
    atomic_traffic_free(system->atomics);
    free(system->footprints);
    free(system);
}

/* ---- L2 and device memory -------------------------------------------------------------------- */

/* Which blocks of a sample touch what, whether or not a cache has it. */
static void note_blocks(const struct warp *warp, struct touched_list *list, bool reads,
                        bool writes) {
    uint32_t mark = warp->block->capture_mark;
    if (!writes && mark == list->reader) /* it has read them before, and that says nothing new */
        return;
    list->reader = reads ? mark : CAPTURE_NONE;
    for (unsigned i = 0; i < list->count && mark != CAPTURE_NONE; i++) {
        const struct touched *touched = &list->lines[i];
        if (!touched->window)
            continue;
        struct footprint *footprint = &warp->block->launch->caches->footprints[touched->window];
        uint64_t line = touched->line - footprint->first_line;
        if (reads)
            footprint_note_readers(footprint, line, touched->sectors, mark);
        if (writes)
            footprint_note_writers(footprint, line, touched->sectors, mark);
    }
}

static void evict(struct warp *warp, struct cache *l2, size_t place) {
    if (l2->dirty[place]) {
        unsigned flushed = sectors_of(l2->dirty[place]);
        l2->flushed += flushed;
        l2->together += flushed * flushed / 4.0;
        warp->host_thread->cache[l2->writers[place]].flushed += flushed;
        l2->dirty_sectors -= flushed;
    }
    l2->valid_sectors -= sectors_of(l2->valid[place]);
    l2->valid[place] = l2->dirty[place] = 0;
}

/* The blocks of a sample lie far from each other, and their lines would fill some sets of a small
 * cache and leave others empty, which those of neighbours do not: they take turns over the sets. */
static size_t l2_set(const struct warp *warp, const struct touched *touched) {
    struct memory_system *system = warp->block->launch->caches;
    if (warp->block->capture_mark == CAPTURE_NONE || !touched->window)
        return cache_set(&system->l2, touched->line);
    struct footprint *footprint = &system->footprints[touched->window];
    uint64_t line = touched->line - footprint->first_line;
    return footprint_dense(footprint, line, &system->next_dense) & system->l2.set_mask;
}

static void l2_access(struct warp *warp, uint32_t pc, const struct touched *touched,
                      uint8_t sectors, bool reads, bool writes) {
    struct memory_system *system = warp->block->launch->caches;
    struct cache_stats *stats = &warp->host_thread->cache[pc];
    struct cache *l2 = &system->l2;
    size_t set = l2_set(warp, touched), place = cache_find(l2, set, touched->line);
    if (place == SIZE_MAX) {
        place = cache_victim(l2, set);
        evict(warp, l2, place);
        l2->lines[place] = touched->line;
        system->requests[pc].dram_lines += reads;
    }
    uint8_t missing = (uint8_t)(sectors & ~l2->valid[place]);
    stats->l2_sectors += sectors_of(sectors);
    system->requests[pc].asked += reads ? sectors_of(sectors) : 0;
    /* what a store puts there is no miss: nothing has to come from elsewhere */
    stats->l2_hits += sectors_of(reads ? sectors & ~missing : sectors);
    if (reads && missing != sectors)
        mshr_note_order(system, warp, pc, &l2->fetches[place], sectors_of(sectors & ~missing));
    if (reads && !missing)
        mshr_note_l2_hit(system, warp, pc, &l2->fetches[place]);
    else
        mshr_note_fetch(warp, pc, reads, &l2->fetches[place]);
    struct footprint *footprint = touched->window ? &system->footprints[touched->window] : NULL;
    uint64_t line = touched->line - (footprint ? footprint->first_line : 0);
    stats->window = touched->window;
    double weight = warp->block->weight;
    if (reads && missing) {
        uint8_t pairs = (uint8_t)((missing & 3 ? 3 : 0) | (missing & 12 ? 12 : 0));
        uint8_t fetched = (uint8_t)(pairs & ~l2->valid[place]);
        unsigned count = sectors_of(fetched);
        unsigned first = footprint ? footprint_mark_sectors(footprint, line, fetched, false) : 0;
        stats->read_first += first;
        stats->read_again += count - first;
        if (footprint) {
            footprint->estimate.read_weighted += first * weight;
            if (capture_count(footprint_reader(footprint, line, missing)) == CAPTURE_MANY)
                stats->read_shared += count - first;
        }
        missing = fetched;
    }
    l2->valid_sectors += sectors_of(missing & ~l2->valid[place]);
    l2->valid[place] |= missing;
    if (writes) {
        uint8_t fresh = (uint8_t)(sectors & ~l2->dirty[place]);
        unsigned count = sectors_of(fresh);
        unsigned first = footprint ? footprint_mark_sectors(footprint, line, fresh, true) : 0;
        if (footprint)
            footprint_note_storer(footprint, line, warp->block->index, &system->pieces);
        stats->written_first += first;
        stats->written_again += count - first;
        if (footprint) {
            footprint->estimate.written_weighted += first * weight;
            if (capture_count(footprint_writer(footprint, line, sectors)) == CAPTURE_MANY)
                stats->written_shared += count - first;
        }
        l2->dirty[place] |= fresh;
        l2->dirty_sectors += count;
        l2->writers[place] = pc;
    }
}

/* ---- L1 -------------------------------------------------------------------------------------- */

/* Where the line is: often where it was when the same lanes' request came last. */
static size_t l1_find(struct cache *l1, struct touched *touched) {
    if (!cache_is_at(l1, touched->place, touched->line)) {
        size_t place = cache_find(l1, cache_set(l1, touched->line), touched->line);
        if (place == SIZE_MAX)
            return SIZE_MAX;
        touched->place = (uint32_t)place;
    }
    return touched->place;
}

static void l1_access(struct warp *warp, uint32_t pc, struct touched *touched,
                      enum cache_access access) {
    struct cache_stats *stats = &warp->host_thread->cache[pc];
    struct memory_system *system = warp->block->launch->caches;
    struct cache *l1 = &system->l1[warp->block->sm];
    uint8_t sectors = touched->sectors, below = sectors;
    unsigned count = sectors_of(sectors);
    stats->l1_sectors += count;
    if (access == CACHE_LOAD || access == CACHE_STORE) {
        size_t place = l1_find(l1, touched);
        bool present = place != SIZE_MAX;
        if (!present) {
            place = cache_victim(l1, cache_set(l1, touched->line));
            touched->place = (uint32_t)place;
            l1->lines[place] = touched->line;
            l1->valid[place] = 0;
        }
        if (access == CACHE_STORE) {
            stats->l1_hits += present ? count : 0;
            l1->fetches[place].pc = 0;
            below = mshr_not_outgoing(&system->run, &l1->outgoing[place], sectors);
        } else {
            below = (uint8_t)(sectors & ~l1->valid[place]);
            stats->l1_hits += count - sectors_of(below);
            if (below)
                l1->fetches[place] =
                    (struct fetch){(uint32_t)warp->block->index, mshr_progress_of(warp), pc + 1, 0};
            else
                mshr_note_inflight(warp, pc, &l1->fetches[place], &system->found);
        }
        l1->valid[place] |= sectors;
    }
    if (below)
        l2_access(warp, pc, touched, below, access != CACHE_STORE,
                  access == CACHE_STORE || access == CACHE_ATOMIC);
}

/* ---- distinct bytes -------------------------------------------------------------------------- */

static inline void count_distinct(struct warp *warp, uint32_t pc, device_address address,
                                  uint64_t bytes, bool reads, bool writes) {
    struct memory_system *system = warp->block->launch->caches;
    uint32_t window = (uint32_t)(address >> ADDRESS_SHIFT);
    uint64_t offset = address & OFFSET_MASK;
    struct footprint *footprint = &system->footprints[window < system->count ? window : 0];
    if (window >= system->count || offset >= footprint->length ||
        bytes > footprint->length - offset)
        return;
    unsigned read = 0, written = 0;
    if (reads)
        read = footprint_mark_bytes(footprint, offset, bytes, false);
    if (writes)
        written = footprint_mark_bytes(footprint, offset, bytes, true);
    warp->host_thread->cache[pc].ideal_bytes += read + written;
    footprint->estimate.ideal_weighted += (read + written) * warp->block->weight;
    if (warp->block->capture_mark != CAPTURE_NONE)
        footprint_note_words(footprint, offset, bytes, reads, writes, warp->block->capture_mark);
}

/* ---- the door -------------------------------------------------------------------------------- */

struct request_stats *memory_system_requests(struct memory_system *system) {
    return system->requests;
}

const uint32_t *memory_system_combining_runs(const struct memory_system *system) {
    return system->combining_runs;
}

struct atomic_traffic *memory_system_atomics(struct memory_system *system) {
    return system->atomics;
}

/* Without lanes that ask for the same as the lane before them, as those of a broadcast do: what is
 * counted by words and bytes counts each once. */
static lane_mask other_addresses(lane_mask lanes, const device_address *addresses) {
    lane_mask others = lanes & -lanes;
    device_address before = lanes ? addresses[__builtin_ctz(lanes)] : 0;
    for (lane_mask rest = lanes & ~others; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        others |= (lane_mask)(addresses[lane] != before) << lane;
        before = addresses[lane];
    }
    return others;
}

/* The L1 has the banks of shared memory: 32 of four bytes, each of which gives one word a pass, to
 * all lanes, or to halves or quarters of a warp where they ask for 8 or 16 bytes. It looks four
 * lines up a pass. */
static unsigned bank_passes(lane_mask lanes, const device_address *addresses, unsigned bytes,
                            unsigned lines) {
    unsigned group_lanes = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8, passes = 0;
    for (unsigned first = 0; first < WARP_LANES; first += group_lanes) {
        struct word_set set;
        word_set_clear(&set);
        uint8_t words[32] = {0};
        unsigned fullest = 0;
        lane_mask group = lanes & (lane_mask)(((uint64_t)1 << group_lanes) - 1) << first;
        for (lane_mask rest = other_addresses(group, addresses); rest; rest &= rest - 1)
            for (unsigned byte = 0; byte < bytes; byte += 4) {
                uint64_t word = (addresses[__builtin_ctz(rest)] + byte) >> 2;
                if (word_set_add(&set, (int64_t)word) && ++words[word & 31] > fullest)
                    fullest = words[word & 31];
            }
        passes += fullest;
    }
    return passes > (lines + 3) / 4 ? passes : (lines + 3) / 4;
}

/* Lanes far apart in memory are far apart in the maps, too: they are fetched side by side. */
static void expect_lanes(const struct memory_system *system, lane_mask lanes,
                         const device_address *addresses, bool reads) {
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        device_address address = addresses[__builtin_ctz(rest)];
        uint64_t window = address >> ADDRESS_SHIFT, offset = address & OFFSET_MASK;
        const struct footprint *footprint =
            &system->footprints[window < system->count ? window : 0];
        if (offset < footprint->length)
            footprint_expect_bytes(footprint, offset, reads);
    }
}

static void expect_lines(const struct memory_system *system, const struct touched_list *list) {
    for (unsigned i = 0; i < list->count; i++) {
        const struct touched *touched = &list->lines[i];
        const struct footprint *footprint = &system->footprints[touched->window];
        if (touched->window)
            footprint_expect_line(footprint, touched->line - footprint->first_line);
        cache_expect(&system->l2, touched->line);
    }
}

/* Lanes whose words lie in order touch the lines in order, too. */
static void note_stored_lines(struct request_stats *requests, const struct touched_list *list) {
    requests->stored_lines += list->count;
    for (unsigned i = 1; i < list->count; i++)
        if (list->lines[i].line == (list->lines[i - 1].line ^ 1))
            requests->stored_beside += 2;
}

void cache_request(struct warp *warp, uint32_t pc, enum ptx_space space, lane_mask lanes,
                   const device_address *addresses, unsigned bytes, enum cache_access access) {
    const struct cache_stats before = warp->host_thread->cache[pc];
    lane_mask scattered = lanes;
    bool reads = access != CACHE_STORE, writes = access == CACHE_STORE || access == CACHE_ATOMIC;
    struct memory_system *system = warp->block->launch->caches;
    struct touched_list fresh, *list = &fresh;
    if (space == SPACE_LOCAL) {
        cache_touched_local(warp, &fresh, lanes, addresses, bytes);
    } else if (cache_touched_contiguous(lanes, addresses, bytes)) {
        cache_touched_span(system, &fresh, addresses[0], bytes * WARP_LANES);
        count_distinct(warp, pc, addresses[0], (uint64_t)bytes * WARP_LANES, reads, writes);
        scattered = 0;
    } else {
        lane_mask others = other_addresses(lanes, addresses);
        expect_lanes(system, others, addresses, reads);
        list = cache_touched_global(system, &fresh, lanes, addresses, bytes);
        if (list->reader == CAPTURE_NONE)
            expect_lines(system, list);
        for (lane_mask rest = others; rest; rest &= rest - 1)
            count_distinct(warp, pc, addresses[__builtin_ctz(rest)], bytes, reads, writes);
    }
    note_blocks(warp, list, reads, writes);
    struct request_stats *requests = &system->requests[pc];
    const struct cache_stats *stats = &warp->host_thread->cache[pc];
    system->found = (struct inflight_hit){0};
    system->follows_fetch = false;
    if (access == CACHE_STORE)
        mshr_follow_run(system, warp, pc);
    for (unsigned i = 0; i < list->count; i++) {
        uint64_t below = stats->l2_sectors;
        l1_access(warp, pc, &list->lines[i], access);
        requests->l2_lines += stats->l2_sectors > below;
    }
    system->run.turns += access == CACHE_STORE ? list->count : 0;
    if (access == CACHE_STORE)
        note_stored_lines(requests, list);
    unsigned passes = space == SPACE_LOCAL || !scattered
                          ? (bytes + 3) / 4
                          : bank_passes(scattered, addresses, bytes, list->count);
    mshr_note_request(warp, pc, passes, &before);
    if (access == CACHE_ATOMIC)
        atomic_traffic_global(warp, pc, lanes, addresses);
}

void memory_system_note_wide(const struct warp *warp, uint32_t pc, struct access_shape *shape,
                             unsigned bytes) {
    struct request_stats *requests = &warp->block->launch->caches->requests[pc];
    requests->requests++;
    for (unsigned wide = bytes < 8 ? 8 : 16; wide <= 16; wide *= 2)
        requests->wide[wide == 16] += count_wide_wavefronts(shape, wide);
}

void cache_bulk(struct warp *warp, uint32_t pc, device_address address, uint64_t bytes,
                bool store) {
    count_distinct(warp, pc, address, bytes, !store, store);
    for (uint64_t done = 0; done < bytes;) {
        struct touched_list list;
        uint64_t here = LINE_BYTES - (address + done) % LINE_BYTES;
        here = here < bytes - done ? here : bytes - done;
        cache_touched_span(warp->block->launch->caches, &list, address + done, (unsigned)here);
        note_blocks(warp, &list, !store, store);
        for (unsigned i = 0; i < list.count; i++)
            l2_access(warp, pc, &list.lines[i], list.lines[i].sectors, !store, store);
        done += here;
    }
}

/* ---- from a sample to the grid --------------------------------------------------------------- */

void memory_system_estimate(struct memory_system *system, const struct capture_sample *sample,
                            struct memory_totals *totals) {
    *totals = (struct memory_totals){0};
    for (uint32_t i = 0; i < system->count; i++)
        if (system->footprints[i].length)
            footprint_estimate(&system->footprints[i], sample, totals);
    uint64_t valid = system->l2.valid_sectors;
    totals->l2_sectors = system->full_sectors;
    totals->dirty_share = valid ? (double)system->l2.dirty_sectors / (double)valid : 0;
}

double memory_system_whole_share(const struct memory_system *system) {
    double dirtied = 0, whole = 0;
    double together = system->l2.flushed > 0 ? system->l2.together / system->l2.flushed : 1;
    for (uint32_t i = 0; i < system->count; i++)
        footprint_add_dirtied(&system->footprints[i], &dirtied, &whole);
    return dirtied > 0 ? fmin(together, whole / dirtied) : 1;
}

double memory_system_lone_share(const struct memory_system *system) {
    return writeback_locality_lone_share(&system->pieces);
}

const struct memory_estimate *memory_system_window(const struct memory_system *system,
                                                   uint64_t window) {
    return &system->footprints[window < system->count ? window : 0].estimate;
}
