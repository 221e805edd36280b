/* The fast path of the race detector, for a warp's access of which the shape is known: a few vector
 * comparisons say that no other thread was at these words in this barrier interval, and then the
 * lanes take their places in the cells. race.c does everything else. Compiled with exec_memory.c
 * for each instruction set of the host. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_FAST_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_FAST_H

#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/state/access_shape.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

/* The newest of the lanes' cells: below `old`, none of their words was touched in this barrier
 * interval; 0: none ever. */
static inline uint32_t newest_of(const uint32_t *cells, const struct access_shape *shape) {
    uint32_t newest = 0;
    if (shape->contiguous) {
        FOR_EACH_LANE(lane) newest = cells[lane] > newest ? cells[lane] : newest;
    } else {
        for (unsigned i = 0; i < shape->unique_count; i++) {
            uint32_t cell = cells[shape->delta[shape->unique[i]] >> 2];
            newest = cell > newest ? cell : newest;
        }
    }
    return newest;
}

static inline void take(uint32_t *cells, const struct access_shape *shape, uint32_t mine) {
    if (shape->contiguous) {
        FOR_EACH_LANE(lane) cells[lane] = mine | lane;
        return;
    }
    for (unsigned i = 0; i < shape->unique_count; i++)
        cells[shape->delta[shape->unique[i]] >> 2] = mine | shape->unique[i];
}

/* The same for accesses narrower (contiguous ones only) and wider than a word. */
static uint32_t newest_of_widths(const uint32_t *cells, const struct access_shape *shape,
                                 unsigned bytes) {
    uint32_t newest = 0;
    unsigned pieces = shape->contiguous ? 1 : shape->unique_count;
    unsigned words = shape->contiguous ? 8 * bytes : bytes / 4;
    for (unsigned i = 0; i < pieces; i++) {
        const uint32_t *own = pieces > 1 ? &cells[shape->delta[shape->unique[i]] >> 2] : cells;
        for (unsigned word = 0; word < words; word++)
            newest = own[word] > newest ? own[word] : newest;
    }
    return newest;
}

static void take_widths(uint32_t *cells, const struct access_shape *shape, unsigned bytes,
                        uint32_t mine) {
    uint32_t pattern = bytes == 1 ? CELL_BYTES : bytes == 2 ? CELL_HALVES : CELL_WHOLE;
    for (unsigned i = 0; i < 8 * bytes && shape->contiguous; i++)
        cells[i] = mine | pattern | i * 4 / bytes;
    for (unsigned i = 0; i < shape->unique_count && !shape->contiguous; i++)
        for (unsigned word = 0; word < bytes / 4; word++)
            cells[(shape->delta[shape->unique[i]] >> 2) + (int)word] = mine | shape->unique[i];
}

/* Do the cells say that each lane was here itself, and no other thread? */
static bool are_own(const struct warp *warp, const struct race_window *window,
                    const uint32_t *cells, const struct access_shape *shape, unsigned bytes) {
    uint32_t pattern = bytes == 1 ? CELL_BYTES : bytes == 2 ? CELL_HALVES : CELL_WHOLE;
    uint32_t base = cells[0], difference = 0;
    if (!shape->contiguous || (base & ((1u << CELL_SHIFT) - 1)) != pattern)
        return false;
    for (unsigned i = 0; i < 8 * bytes; i++)
        difference |= cells[i] ^ (base | i * 4 / bytes);
    if (difference || base < window->old)
        return false;
    const struct access_record *record = race_record_at(warp, window->shared, base >> CELL_SHIFT);
    return record->block == (uint32_t)warp->block->index && record->warp == warp->index;
}

/* Readers of words that others read as well: lanes, groups of lanes, several warps. */
static inline void join_readers(struct warp *warp, const struct race_window *window, uint64_t at,
                                const struct access_shape *shape, uint32_t number) {
    uint32_t *cells = window->reads->words;
    for (unsigned i = 0; i < shape->unique_count; i++) {
        bool many = shape->unique_shared >> i & 1;
        int64_t own = (int64_t)at + (shape->delta[shape->unique[i]] >> 2);
        uint32_t *cell = &cells[own];
        uint32_t mine = number << CELL_SHIFT | (many ? (uint32_t)CELL_GROUP : 0) | shape->unique[i];
        if (*cell < window->old)
            *cell = mine;
        else if (*cell != mine &&
                 (*cell & CELL_KIND) != (uint32_t)(window->shared ? CELL_WARPS : CELL_BLOCKS))
            *cell = race_join_reader(warp, window, number, shape->unique[i], many, (uint64_t)own,
                                     *cell);
    }
}

/* Where the memory is followed in slices: 0 nowhere, 1 everywhere, -1 here and there. */
static int is_followed(const struct launch *launch, const struct race_window *window,
                       const struct access_shape *shape, uint64_t offset, unsigned bytes) {
    uint64_t first = offset + (uint64_t)(int64_t)shape->lowest;
    uint64_t last = offset + (uint64_t)shape->highest + bytes - 1;
    if (window->shared)
        return 1;
    if (first >> SLICE_SHIFT != last >> SLICE_SHIFT)
        return -1;
    return race_budget_follows(launch, window->allocation, first);
}

/* Nothing but the lanes' own accesses, or nothing of this interval at all. */
static bool nobody_else(const struct warp *warp, const struct race_window *window,
                        const uint32_t *cells, const struct access_shape *shape, unsigned bytes,
                        uint32_t *newest) {
    *newest = newest_of_widths(cells, shape, bytes);
    return *newest < window->old || are_own(warp, window, cells, shape, bytes);
}

static bool track_widths(const struct warp *warp, const struct race_window *window,
                         const struct access_shape *shape, uint64_t offset, unsigned bytes,
                         uint32_t mine, bool store) {
    uint32_t *writes = window->writes->words + offset / 4;
    uint32_t *reads = window->reads->words + offset / 4;
    if ((bytes < 4 && !shape->contiguous) || shape->unique_count != shape->active_count)
        return false;
    uint32_t written, read;
    if (!nobody_else(warp, window, writes, shape, bytes, &written) ||
        !nobody_else(warp, window, reads, shape, bytes, &read))
        return false;
    take_widths(store ? writes : reads, shape, bytes, mine);
    if (!window->shared && !(store ? written : read))
        race_budget_note_fresh(warp->host_thread, store,
                               shape->contiguous ? 8 * bytes : shape->unique_count * bytes / 4);
    return true;
}

/* Several host threads may be at the cells. Where one was quicker the slow path does it all again.
 */
static bool track_among_host_threads(const struct warp *warp, const struct race_window *window,
                                     const struct access_shape *shape, uint64_t offset,
                                     unsigned bytes, uint32_t mine, bool store) {
    uint32_t *own = (store ? window->writes : window->reads)->words + offset / 4;
    const uint32_t *others = (store ? window->reads : window->writes)->words + offset / 4;
    uint32_t pattern = bytes == 1 ? CELL_BYTES : bytes == 2 ? CELL_HALVES : CELL_WHOLE;
    uint32_t before[8 * 16], newest;
    if (!shape->contiguous)
        return false;
    memcpy(before, own, (size_t)32 * bytes);
    if (!nobody_else(warp, window, before, shape, bytes, &newest))
        return false;
    if (newest == 0)
        race_budget_note_fresh(warp->host_thread, store, 8 * bytes);
    for (unsigned i = 0; i < 8 * bytes; i++)
        if (!__atomic_compare_exchange_n(&own[i], &before[i], mine | pattern | i * 4 / bytes, false,
                                         __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            return false;
    memcpy(before, others, (size_t)32 * bytes);
    return nobody_else(warp, window, before, shape, bytes, &newest);
}

/* A load of words of which the cells say already that several blocks read them, and that nobody
 * writes: it changes nothing. Matrices are read so, by all blocks of a row or of a column. */
static __attribute__((noinline)) bool is_known_reader(const struct warp *warp,
                                                      const struct race_window *window,
                                                      const struct access_shape *shape,
                                                      uint64_t offset, unsigned bytes) {
    const uint32_t *writes = window->writes->words + offset / 4;
    const uint32_t *reads = window->reads->words + offset / 4;
    uint32_t last = 0;
    for (unsigned i = 0; i < shape->unique_count; i++)
        for (unsigned word = 0; word < bytes / 4; word++) {
            int64_t at = (shape->delta[shape->unique[i]] >> 2) + (int64_t)word;
            uint32_t read = __atomic_load_n(&reads[at], __ATOMIC_SEQ_CST);
            if (read < window->old || (read & (CELL_KIND | CELL_PATTERN)) != CELL_BLOCKS ||
                __atomic_load_n(&writes[at], __ATOMIC_SEQ_CST) >= window->old)
                return false;
            if (read >> CELL_SHIFT == last)
                continue;
            last = read >> CELL_SHIFT;
            const struct access_record *record = race_record_at(warp, false, last);
            if (record->strong || record->linked)
                return false;
        }
    return true;
}

static void track_slowly(struct warp *warp, const struct insn *insn,
                         const struct race_window *window, const struct access_shape *shape,
                         uint64_t offset, unsigned bytes, bool store, uint32_t number) {
    uint64_t offsets[WARP_LANES];
    FOR_EACH_LANE(lane) offsets[lane] = offset + (uint64_t)(int64_t)shape->delta[lane];
    race_access_lanes(warp, insn, window, number, shape->lanes, offsets, bytes, store);
}

/* The fast path of the race detector: one comparison a word says that no other thread was here in
 * this barrier interval; then the lanes take their places. race.c does everything else. */
static inline void track(struct warp *warp, const struct insn *insn, struct race_window *window,
                         const struct access_shape *shape, uint64_t offset, unsigned bytes,
                         bool store) {
    const struct launch *launch = warp->block->launch;
    int followed = launch->slices == 1 ? 1 : is_followed(launch, window, shape, offset, bytes);
    uint32_t number = followed ? race_record(warp, insn, shape->lanes, window, store) : 0;
    if (!number)
        return;
    uint32_t old = window->old;
    bool quick = followed > 0 && !(offset & 3);
    if (quick && !window->alone) {
        if (track_among_host_threads(warp, window, shape, offset, bytes, number << CELL_SHIFT,
                                     store))
            return;
        if (!store && !launch->precise && !(bytes & 3) && !insn_is_strong(insn) &&
            is_known_reader(warp, window, shape, offset, bytes))
            return;
        quick = false;
    }
    if (quick && bytes == 4) {
        uint32_t *writes = window->writes->words + offset / 4;
        uint32_t *reads = window->reads->words + offset / 4;
        bool apart = shape->unique_count == shape->active_count;
        uint32_t written = newest_of(writes, shape), read = apart ? newest_of(reads, shape) : old;
        if (written < old && read < old) {
            take(store ? writes : reads, shape, number << CELL_SHIFT);
            if (!window->shared && !(store ? written : read))
                race_budget_note_fresh(warp->host_thread, store, shape->unique_count);
            return;
        }
        if (written < old && !store && !launch->precise) {
            join_readers(warp, window, offset / 4, shape, number);
            return;
        }
    }
    if (quick && track_widths(warp, window, shape, offset, bytes, number << CELL_SHIFT, store))
        return;
    track_slowly(warp, insn, window, shape, offset, bytes, store, number);
}

#endif
