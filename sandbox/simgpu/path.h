/* The ways that the warps of some blocks took through the program, for the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PATH_H
#define WARPGRADE_SANDBOX_SIMGPU_PATH_H

#include "sandbox/simgpu/machine.h"

/* Instructions first..last one after the other, `times` times; joins in between are none. */
struct path_segment {
    uint32_t first, last, times;
};

struct path { /* of one warp */
    struct path_segment *segments;
    size_t count, capacity;
    size_t limit;
    bool cut; /* it went on, but there was no room */
};

struct traced_block {
    uint64_t index;
    struct path *paths; /* one a warp; NULL until the block starts */
};

struct trace {
    struct traced_block *blocks; /* by index */
    size_t block_count;
    unsigned warps_per_block;
    size_t segment_limit; /* of each path */
};

/* Chooses blocks all over the grid; NULL where the launch has no device. */
struct trace *trace_create(const struct launch *launch);
void trace_free(struct trace *trace);
/* block.c: a block starts; its warps get paths if it is one of those chosen. */
void trace_start_block(struct block *block);
void path_append(struct path *path, uint32_t first, uint32_t last);

/* warp.c: the running split has executed first..last and now leaves the straight line. */
static inline void path_note(struct warp *warp, uint32_t first, uint32_t last) {
    if (__builtin_expect(warp->path != NULL, 0) && first <= last)
        path_append(warp->path, first, last);
}

#endif
