/* The race detector's part of a plain load of whole words from shared memory, which is what most
 * warps of a tiled kernel execute: where no thread has written the words in this barrier interval,
 * the lanes join their readers. race_fast.h and race.c do everything else, and the same where this
 * gives up. Compiled with exec_memory.c for each instruction set of the host. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_EXECUTORS_RACE_SHARED_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_EXECUTORS_RACE_SHARED_H

#include "sandbox/simgpu/check/race_fast.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/limits.h"

/* May all lanes read, and has no thread written there? `shadow` and `writes` are those of the first
 * lane's word. */
static inline bool race_shared_is_unwritten(const struct access_shape *shape,
                                            const unsigned char *shadow, const uint32_t *writes,
                                            uint32_t old) {
    const uint32_t initialized = 0x01010101u * SHADOW_INITIALIZED;
    cell_vector refused = {0};
    uint32_t refused_alone = 0;
    bool vectors = false;
    for (unsigned i = 0; i < shape->stretch_count; i++) {
        const unsigned char *own_shadow = shadow + shape->stretches[i].delta;
        const uint32_t *own = writes + (shape->stretches[i].delta >> 2);
        unsigned count = shape->stretches[i].count;
        for (; count >= CELLS_AT_ONCE; count -= CELLS_AT_ONCE) {
            cell_vector bytes, cells;
            memcpy(&bytes, own_shadow, sizeof bytes);
            memcpy(&cells, own, sizeof cells);
            refused |= (~bytes & initialized) | (cell_vector)(cells >= old);
            own_shadow += sizeof bytes;
            own += CELLS_AT_ONCE;
            vectors = true;
        }
        for (; count; count--, own++, own_shadow += 4) {
            uint32_t bytes;
            memcpy(&bytes, own_shadow, sizeof bytes);
            refused_alone |= (~bytes & initialized) | (*own >= old);
        }
    }
    return !refused_alone && !(vectors && is_any(&refused));
}

/* As race_record(), for a plain load. Most often the last record of the instruction is another
 * warp's, or from before the barrier. */
static inline uint32_t race_shared_record(struct warp *warp, const struct insn *insn, uint32_t pc,
                                          lane_mask lanes, struct race_window *window) {
    struct block *block = warp->block;
    struct block_races *races = &block->races;
    struct race_site *site = &warp->host_thread->sites[pc];
    const struct sim_limits *limits = block->launch->limits;
    const uint32_t used = races->next - races->first;
    if (used >= races->capacity || used >= limits->first_look || used >= limits->shared_records ||
        races->next >= RECORD_LIMIT ||
        (site->time >= races->barrier_time && site->warp == warp->index))
        return race_record(warp, insn, lanes, window, false);
    warp->tracked = true;
    races->records[used] = (struct access_record){.block = (uint32_t)block->index,
                                                  .time = races->time,
                                                  .pc = pc & 0x3fffff,
                                                  .lanes = lanes,
                                                  .warp = warp->index & 31};
    races->links[used] = (struct record_link){0};
    *site = (struct race_site){.block = block->index,
                               .number = races->next,
                               .time = races->time,
                               .lanes = lanes,
                               .warp = (uint16_t)warp->index,
                               .shared = true};
    return races->next++;
}

#endif
