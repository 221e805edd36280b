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
    struct traced_block
        heaviest; /* of the others; has paths only where it is out of all proportion */
    /* thread instructions, of blocks of the grid by their weight */
    double traced, all, traced_weight, all_weight;
    uint64_t most; /* of the heaviest */
    bool complete; /* all blocks ended */
    unsigned warps_per_block;
    size_t segment_limit; /* of each path */
};

/* Chooses blocks all over the grid; NULL where the launch has no device. */
struct trace *trace_create(const struct launch *launch);
void trace_free(struct trace *trace);
/* block.c: a block starts; its warps get paths if it is one of those chosen. */
void trace_start_block(struct block *block);
/* residency.c: a block has ended. */
void trace_end_block(const struct block *block);
/* Whether the heaviest block is so much larger than those traced that it must be traced, too. */
bool trace_wants_heaviest(const struct trace *trace);
/* By how much the blocks of the grid are larger than those traced, where that is far off; else 1.
 */
double trace_shortfall(const struct trace *trace);
void path_append(struct path *path, uint32_t first, uint32_t last);

/* warp.c: the running split has executed first..last and now leaves the straight line. */
static inline void path_note(struct warp *warp, uint32_t first, uint32_t last) {
    if (__builtin_expect(warp->path != NULL, 0) && first <= last)
        path_append(warp->path, first, last);
}

#endif
