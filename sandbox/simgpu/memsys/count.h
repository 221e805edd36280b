/* Counting what memory instructions do: one request a warp, with its sectors, wavefronts, bytes.
 * The definitions stand in sandbox/base/counter.def and count.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_COUNT_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_COUNT_H

#include "sandbox/simgpu/state/access_shape.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/stats.h"

/* What a host thread has counted for the instruction at pc in the memory of that space. */
static inline struct memory_stats *memory_stats_of(const struct host_thread *host_thread,
                                                   uint32_t pc, enum ptx_space space) {
    enum memory_class class = space == SPACE_SHARED  ? MEMORY_SHARED
                              : space == SPACE_LOCAL ? MEMORY_LOCAL
                              : space == SPACE_CONST ? MEMORY_CONST
                                                     : MEMORY_GLOBAL;
    return &host_thread->memory[(size_t)pc * MEMORY_CLASS_COUNT + class];
}

/* Sectors of a shape whose first lane's address is `phase` modulo 32. */
unsigned count_sectors(const struct access_shape *shape, unsigned phase, unsigned bytes);
/* The same for lanes that lie too far apart to have a shape. */
unsigned count_sectors_apart(lane_mask lanes, const device_address *addresses, unsigned bytes);
/* Fills the wavefronts of a shape whose first lane's address is `phase` modulo 4. */
void count_wavefronts(struct access_shape *shape, unsigned phase, unsigned bytes, bool store);
/* The same for the 8 or 16 bytes that begin where the lanes' aligned words do: what the request
 * would take together with loads of the words after them. */
unsigned count_wide_wavefronts(struct access_shape *shape, unsigned bytes);
/* Requests in local or constant memory. */
void count_seldom(struct memory_stats *stats, struct access_shape *shape, enum ptx_space space,
                  unsigned phase, unsigned bytes);

/* One request of an ld or st, or of something that works like one, in one space. */
static inline void count_request(const struct host_thread *host_thread, uint32_t pc,
                                 struct access_shape *shape, enum ptx_space space,
                                 device_address first, unsigned bytes, bool store) {
    struct memory_stats *stats = memory_stats_of(host_thread, pc, space);
    stats->requests++;
    if (space == SPACE_SHARED) {
        unsigned phase = first & 3;
        if (!shape->wavefronts[phase])
            count_wavefronts(shape, phase, bytes, store);
        stats->units += shape->wavefronts[phase];
        stats->conflicts += (uint64_t)(shape->wavefronts[phase] - shape->groups);
        return;
    }
    if (space == SPACE_LOCAL || space == SPACE_CONST) {
        count_seldom(stats, shape, space, first & 3, bytes);
        return;
    }
    unsigned phase = first & 31;
    if (!shape->sectors[phase])
        shape->sectors[phase] = (uint8_t)count_sectors(shape, phase, bytes);
    stats->units += shape->sectors[phase];
    stats->ideal += shape->ideal_sectors;
    stats->bytes += shape->active_count * bytes;
}

/* One global request of lanes that lie too far apart to have a shape. */
void count_apart(const struct host_thread *host_thread, uint32_t pc, lane_mask lanes,
                 const device_address *addresses, unsigned bytes);

/* A copy of `bytes` bytes in one piece between shared memory and this global address. */
void count_bulk(const struct host_thread *host_thread, uint32_t pc, device_address global,
                uint32_t bytes);

#endif
