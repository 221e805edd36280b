/* The ways that the warps of some blocks took through the program, for the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_WARP_TRACE_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_WARP_TRACE_H

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"

/* Predicated instructions first..last that do nothing. */
struct path_stretch {
    uint32_t first, last;
};

/* Instructions first..last one after the other, `times` times; joins in between are none. */
struct path_segment {
    uint32_t first, last, times;
    uint32_t off_count; /* stretches of those that do nothing, in order */
    size_t off;         /* ... the first of them, of the path's */
    bool parts;         /* at the last one, a branch, some lanes go elsewhere, which come after */
};

struct warp_path { /* of one warp */
    struct path_segment *segments;
    size_t count, capacity;
    struct path_stretch *off; /* replay_paths.c: of all segments, in order */
    size_t off_count, off_capacity;
    size_t limit;
    size_t *pool;          /* more segments that a path may take; NULL: none */
    uint64_t instructions; /* all that were executed */
    uint64_t waits;        /* times that the warp has had to wait for what it had loaded */
    uint32_t line;         /* where the straight line begins that it executes, of which neither
                            * knows yet */
    bool cut;              /* it went on, but there was no room */
    bool joined;           /* by replay.c */
};

struct path_set { /* of one block */
    struct path_set *next, *next_spare;
    uint64_t block;
    uint64_t instructions;
    struct warp_path paths[];
};

struct traced_block { /* of a part of the grid */
    uint64_t index;
    struct path_set *chosen;   /* block `index` */
    struct path_set *heaviest; /* the one that executed most; NULL: only the chosen ones did */
    struct warp_path *paths;   /* of which there is one a warp; NULL until warp_trace_settle() */
    uint64_t instructions;
    double work, squares; /* sums over the part's blocks: instructions, and the square of those */
};

struct block_work {
    uint64_t index, instructions;
    double weight; /* blocks that it stands for */
};

struct warp_trace {
    struct traced_block *blocks; /* by index */
    size_t block_count;
    unsigned warps_per_block;
    size_t segment_limit; /* of each path of a chosen block */
    size_t pool;          /* segments left for the paths of all other blocks */
    struct path_set *all, *spare;
    uint32_t *regions;           /* by pc: where its piece of code begins (sass_model.h) */
    uint32_t *waits;             /* by pc: pieces that await loads before it (load_use.h) */
    double work, weight;         /* sums over all blocks: instructions, blocks */
    struct traced_block outlier; /* the heaviest of all */
    struct block_work *works;    /* of all blocks that were executed */
    size_t work_count, work_capacity;
};

/* Chooses blocks all over the grid; NULL where the launch has no device. */
struct warp_trace *warp_trace_create(const struct launch *launch);
void warp_trace_free(struct warp_trace *trace);
/* block.c: a block starts; its warps get paths. */
void warp_trace_start_block(struct block *block);
/* residency.c: it has ended. */
void warp_trace_end_block(const struct block *block);
/* All blocks have run: each part of the grid is stood for by one whose paths are there. */
void warp_trace_settle(struct warp_trace *trace);
void warp_trace_append(const struct warp_trace *trace, struct warp_path *path, uint32_t first,
                       uint32_t last, bool parts);

#endif
