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
#include "sandbox/simgpu/state/saved_chunks.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

_Static_assert((int)SEVERAL_LANES == (int)CELL_GROUP, "marks are what cells say of lanes");

/* Eight cells at once; a truth is all bits. */
enum { CELLS_AT_ONCE = 8 };
typedef uint32_t cell_vector __attribute__((vector_size(4 * CELLS_AT_ONCE)));
typedef uint8_t mark_vector __attribute__((vector_size(CELLS_AT_ONCE)));

static inline bool is_any(const cell_vector *truths) {
#if defined(__AVX__)
    typedef long long parts __attribute__((vector_size(32)));
    return !__builtin_ia32_ptestz256((parts)*truths, (parts)*truths);
#else
    uint64_t parts[4];
    memcpy(parts, truths, sizeof parts);
    return (parts[0] | parts[1] | parts[2] | parts[3]) != 0;
#endif
}

/* Of neighbouring cells. */
struct neighbours {
    bool young; /* some are of this barrier interval */
    bool used;  /* some words were touched before */
};

static inline void look_at_neighbours(const uint32_t *cells, unsigned count, uint32_t old,
                                      struct neighbours *seen) {
    cell_vector young = {0}, used = {0}, some;
    for (; count >= CELLS_AT_ONCE; count -= CELLS_AT_ONCE, cells += CELLS_AT_ONCE) {
        memcpy(&some, cells, sizeof some);
        young |= (cell_vector)(some >= old);
        used |= some;
    }
    seen->young |= is_any(&young);
    seen->used |= is_any(&used);
    for (; count; count--, cells++) {
        seen->young |= *cells >= old;
        seen->used |= *cells != 0;
    }
}

/* Of the words of the lanes' cells. */
static inline struct neighbours look_at_words(const uint32_t *cells,
                                              const struct access_shape *shape, uint32_t old) {
    struct neighbours seen = {false, false};
    if (shape->contiguous) {
        look_at_neighbours(cells, WARP_LANES, old, &seen);
        return seen;
    }
    if (shape->stretch_count) {
        for (unsigned i = 0; i < shape->stretch_count; i++)
            look_at_neighbours(&cells[shape->stretches[i].delta >> 2], shape->stretches[i].count,
                               old, &seen);
        return seen;
    }
    uint32_t newest = 0;
    for (unsigned i = 0; i < shape->unique_count; i++) {
        uint32_t cell = cells[shape->delta[shape->unique[i]] >> 2];
        newest = cell > newest ? cell : newest;
    }
    return (struct neighbours){newest >= old, newest != 0};
}

static inline void take_neighbours(uint32_t *cells, const uint8_t *marks, unsigned count,
                                   uint32_t mine) {
    for (; count >= CELLS_AT_ONCE; count -= CELLS_AT_ONCE) {
        mark_vector some;
        memcpy(&some, marks, sizeof some);
        cell_vector after = mine | __builtin_convertvector(some, cell_vector);
        memcpy(cells, &after, sizeof after);
        cells += CELLS_AT_ONCE;
        marks += CELLS_AT_ONCE;
    }
    for (unsigned i = 0; i < count; i++)
        cells[i] = mine | marks[i];
}

static inline void take(uint32_t *cells, const struct access_shape *shape, uint32_t mine) {
    if (shape->contiguous) {
        FOR_EACH_LANE(lane) cells[lane] = mine | lane;
        return;
    }
    if (!shape->stretch_count) {
        for (unsigned i = 0; i < shape->unique_count; i++)
            cells[shape->delta[shape->unique[i]] >> 2] = mine | shape->unique[i];
        return;
    }
    for (unsigned i = 0; i < shape->stretch_count; i++) {
        const struct address_stretch *stretch = &shape->stretches[i];
        take_neighbours(&cells[stretch->delta >> 2], &shape->marks[stretch->first], stretch->count,
                        mine);
    }
}

/* The newest of the cells of accesses narrower (contiguous ones only) and wider than a word: below
 * `old`, none of the words was touched in this barrier interval; 0: none ever. */
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
static inline void join_readers_apart(struct warp *warp, const struct race_window *window,
                                      uint64_t at, const struct access_shape *shape,
                                      uint32_t number) {
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

/* Takes neighbouring cells of which each is from before the barrier, or says already what it must.
 * False: others are among them, and nothing has changed. */
static inline bool join_neighbours(uint32_t *cells, const uint8_t *marks, unsigned count,
                                   uint32_t mine, uint32_t old, uint32_t settled) {
    const unsigned apart = count / CELLS_AT_ONCE * CELLS_AT_ONCE;
    bool some_old = false;
    for (unsigned i = apart; i < count; i++) {
        if (cells[i] < old)
            some_old = true;
        else if (cells[i] != (mine | marks[i]) && (cells[i] & CELL_KIND) != settled)
            return false;
    }
    if (apart) {
        cell_vector fresh = {0}, others = {0};
        for (unsigned i = 0; i < apart; i += CELLS_AT_ONCE) {
            mark_vector mark;
            cell_vector cell;
            memcpy(&mark, &marks[i], sizeof mark);
            memcpy(&cell, &cells[i], sizeof cell);
            cell_vector is_old = (cell_vector)(cell < old);
            cell_vector after = mine | __builtin_convertvector(mark, cell_vector);
            fresh |= is_old;
            others |= ~(is_old | (cell_vector)(cell == after) |
                        (cell_vector)((cell & CELL_KIND) == settled));
        }
        if (is_any(&others))
            return false;
        for (unsigned i = 0; i < apart && is_any(&fresh); i += CELLS_AT_ONCE) {
            mark_vector mark;
            cell_vector cell;
            memcpy(&mark, &marks[i], sizeof mark);
            memcpy(&cell, &cells[i], sizeof cell);
            cell_vector is_old = (cell_vector)(cell < old);
            cell_vector after = mine | __builtin_convertvector(mark, cell_vector);
            cell = (cell & ~is_old) | (is_old & after);
            memcpy(&cells[i], &cell, sizeof cell);
        }
    }
    for (unsigned i = apart; i < count && some_old; i++)
        cells[i] = cells[i] < old ? mine | marks[i] : cells[i];
    return true;
}

/* The same for all words of an access that lies in a few stretches. */
static inline void join_stretches(struct warp *warp, const struct race_window *window, uint64_t at,
                                  const struct access_shape *shape, uint32_t number) {
    const uint32_t settled = window->shared ? CELL_WARPS : CELL_BLOCKS;
    for (unsigned i = 0; i < shape->stretch_count; i++) {
        const struct address_stretch *stretch = &shape->stretches[i];
        uint64_t first = at + (uint64_t)(int64_t)(stretch->delta >> 2);
        const uint8_t *marks = &shape->marks[stretch->first];
        if (!join_neighbours(&window->reads->words[first], marks, stretch->count,
                             number << CELL_SHIFT, window->old, settled))
            race_join_neighbours(warp, window, number, marks, first, stretch->count);
    }
}

static inline void join_readers(struct warp *warp, const struct race_window *window, uint64_t at,
                                const struct access_shape *shape, uint32_t number) {
    if (shape->stretch_count)
        join_stretches(warp, window, at, shape, number);
    else
        join_readers_apart(warp, window, at, shape, number);
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

/* The same for whole words that lie in a few stretches, and that nothing has touched in this
 * interval. */
static bool track_stretches(const struct warp *warp, const struct race_window *window,
                            const struct access_shape *shape, uint64_t offset, uint32_t mine,
                            bool store) {
    uint32_t *own = (store ? window->writes : window->reads)->words + offset / 4;
    const uint32_t *others = (store ? window->reads : window->writes)->words + offset / 4;
    struct neighbours seen = look_at_words(own, shape, window->old);
    if (seen.young || look_at_words(others, shape, window->old).young)
        return false;
    if (!seen.used)
        race_budget_note_fresh(warp->host_thread, store, shape->unique_count);
    for (unsigned i = 0; i < shape->stretch_count; i++) {
        const struct address_stretch *stretch = &shape->stretches[i];
        uint32_t *cells = &own[stretch->delta >> 2];
        for (unsigned word = 0; word < stretch->count; word++) {
            uint32_t before = __atomic_load_n(&cells[word], __ATOMIC_RELAXED);
            if (before >= window->old ||
                !__atomic_compare_exchange_n(&cells[word], &before,
                                             mine | shape->marks[stretch->first + word], false,
                                             __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
                return false;
        }
    }
    return !look_at_words(others, shape, window->old).young;
}

/* Do all cells of these words say that several blocks read them, and that nobody writes? *number:
 * the record of all of them. */
static inline bool is_read_by_blocks(const uint32_t *reads, const uint32_t *writes, unsigned count,
                                     uint32_t old, uint32_t *number) {
    cell_vector wrong = {0}, read, written;
    const uint32_t first = reads[0] & ~(uint32_t)CELL_LANE;
    *number = first >> CELL_SHIFT;
    if (first < old || (first & (CELL_KIND | CELL_PATTERN)) != CELL_BLOCKS)
        return false;
    for (; count >= CELLS_AT_ONCE; count -= CELLS_AT_ONCE) {
        memcpy(&read, reads, sizeof read);
        memcpy(&written, writes, sizeof written);
        wrong |= (read & ~(uint32_t)CELL_LANE) ^ first;
        wrong |= (cell_vector)(written >= old);
        reads += CELLS_AT_ONCE;
        writes += CELLS_AT_ONCE;
    }
    bool right = !is_any(&wrong);
    for (unsigned i = 0; i < count; i++)
        right &= (reads[i] & ~(uint32_t)CELL_LANE) == first && writes[i] < old;
    return right;
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
    bool settled = shape->stretch_count;
    for (unsigned i = 0; i < shape->stretch_count && settled; i++) {
        const struct address_stretch *stretch = &shape->stretches[i];
        int64_t first = stretch->delta >> 2;
        settled = is_read_by_blocks(&reads[first], &writes[first], stretch->count * bytes / 4,
                                    window->old, &last) &&
                  race_budget_is_plain(warp->block->launch, last);
    }
    if (settled)
        return true;
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
            if (!race_budget_is_plain(warp->block->launch, last))
                return false;
        }
    return true;
}

/* A load of which the chunks say that it is a known reader, and that nothing has been written there
 * in this launch: it needs no record. */
static inline bool is_settled(const struct launch *launch, const struct insn *insn,
                              const struct race_window *window, const struct access_shape *shape,
                              uint64_t offset, unsigned bytes) {
    if (!window->reads->settled || launch->precise || insn_is_strong(insn))
        return false;
    const struct saved_chunks *saved = launch->allocations[window->allocation].saved;
    for (unsigned i = 0; i < shape->stretch_count && saved; i++) {
        uint64_t first = offset + (uint64_t)(int64_t)shape->stretches[i].delta;
        uint64_t chunk = first / SAVED_CHUNK;
        if ((first + shape->stretches[i].count * bytes - 1) / SAVED_CHUNK != chunk ||
            !cells_are_settled(window->reads, chunk, window->old) ||
            !saved_chunks_is_unchanged(saved, chunk))
            return false;
    }
    return saved && shape->stretch_count > 0;
}

static void note_known_reader(const struct warp *warp, const struct race_window *window,
                              const struct access_shape *shape, uint64_t offset) {
    const struct launch *launch = warp->block->launch;
    for (unsigned i = 0; i < shape->stretch_count; i++)
        if (launch->allocations[window->allocation].saved)
            cells_note_readers(
                launch, window->reads,
                (offset + (uint64_t)(int64_t)shape->stretches[i].delta) / SAVED_CHUNK, window->old);
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
    if (!store && !window->shared && is_settled(launch, insn, window, shape, offset, bytes)) {
        warp->tracked = true;
        race_budget_make_room(warp->host_thread); /* others may wait for that */
        return;
    }
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
        bool apart = shape->unique_count == shape->active_count;
        if (shape->stretch_count && bytes == 4 && !shape->contiguous &&
            (apart || (!store && !launch->precise)) &&
            track_stretches(warp, window, shape, offset, number << CELL_SHIFT, store))
            return;
        if (!store && !launch->precise && !(bytes & 3) && !insn_is_strong(insn) &&
            is_known_reader(warp, window, shape, offset, bytes)) {
            note_known_reader(warp, window, shape, offset);
            return;
        }
        quick = false;
    }
    if (quick && bytes == 4) {
        uint32_t *writes = window->writes->words + offset / 4;
        uint32_t *reads = window->reads->words + offset / 4;
        bool apart = shape->unique_count == shape->active_count;
        struct neighbours written = look_at_words(writes, shape, old), read = {true, true};
        if (apart && !written.young)
            read = look_at_words(reads, shape, old);
        if (!written.young && !read.young) {
            take(store ? writes : reads, shape, number << CELL_SHIFT);
            if (!window->shared && !(store ? written : read).used)
                race_budget_note_fresh(warp->host_thread, store, shape->unique_count);
            return;
        }
        if (!written.young && !store && !launch->precise) {
            join_readers(warp, window, offset / 4, shape, number);
            if (!window->shared)
                note_known_reader(warp, window, shape, offset);
            return;
        }
    }
    if (quick && track_widths(warp, window, shape, offset, bytes, number << CELL_SHIFT, store))
        return;
    track_slowly(warp, insn, window, shape, offset, bytes, store, number);
}

#endif
