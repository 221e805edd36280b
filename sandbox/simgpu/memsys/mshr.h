/* The memory system of a launch, for cache.c and mshr.c, and who waits in it for whom. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_MSHR_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_MSHR_H

#include "sandbox/simgpu/memsys/cache.h"
#include "sandbox/simgpu/memsys/cache_tags.h"
#include "sandbox/simgpu/memsys/cache_touched.h"
#include "sandbox/simgpu/memsys/piece_map.h"
#include "sandbox/simgpu/memsys/warp_trace.h"
#include "sandbox/simgpu/memsys/writeback_locality.h"
#include "sandbox/simgpu/state/warp.h"

/* What a request finds in the L1 that is still on its way. */
struct inflight_hit {
    bool by_same, by_far; /* the same instruction asked for it; one of another block */
    uint32_t other_pc;    /* another one did; plus one, 0: none */
};

/* The run of stores (write_combining.c) that a warp is in. */
struct write_combining_run {
    const struct warp *warp;
    uint32_t block, progress, code; /* where it is, and which run of the program */
    uint32_t number;                /* of all that were executed */
    uint32_t turns;                 /* of the load/store unit that its stores have taken */
};

struct memory_system {
    struct cache *l1;
    unsigned sms;
    struct cache l2;
    struct footprint *footprints;      /* by window */
    struct piece_arena pieces_of_maps; /* ... of theirs */
    uint32_t count;
    double full_sectors;            /* of the device's whole L2 */
    uint64_t running;               /* blocks at a time, on the device */
    struct request_stats *requests; /* by pc */
    struct atomic_traffic *atomics;
    struct inflight_hit found; /* of the request at hand */
    bool follows_fetch;        /* the request at hand finds what its block has just asked for */
    uint32_t *combining_runs;  /* by pc */
    struct writeback_locality pieces;
    struct write_combining_run run;
    uint32_t next_dense;                              /* of a sample: see footprint_dense() */
    struct touched_request touched[TOUCHED_REQUESTS]; /* the last ones, by their allocations */
    uint32_t local_first_line; /* local memory of the resident blocks lies after everything else */
};

/* How long a warp takes for `waits` waits for memory and `instructions`: what it executes takes
 * less time than what it waits for. */
double mshr_elapsed_clocks(const struct device_profile *device, double waits, double instructions);

/* How far a warp is: its instructions. */
static inline uint32_t mshr_progress_of(const struct warp *warp) {
    return warp->path ? (uint32_t)warp->path->instructions : 0;
}

/* The warp's instruction at pc asks the L2 for a line, or stores to it. */
void mshr_note_fetch(const struct warp *warp, uint32_t pc, bool reads, struct fetch *fetch);
/* Another block has fetched what this one reads now. */
void mshr_note_order(struct memory_system *system, const struct warp *warp, uint32_t pc,
                     const struct fetch *fetch, unsigned sectors);
/* The L2 has all that a request reads of a line. */
void mshr_note_l2_hit(struct memory_system *system, const struct warp *warp, uint32_t pc,
                      const struct fetch *fetch);
/* The L1 has all that a request reads of a line. */
void mshr_note_inflight(const struct warp *warp, uint32_t pc, const struct fetch *fetch,
                        struct inflight_hit *found);
/* At the end of a request; `before`: its instruction's counts at the beginning. */
void mshr_note_request(const struct warp *warp, uint32_t pc, unsigned passes,
                       const struct cache_stats *before);
/* The warp's store goes on with its run of stores, or begins one. */
void mshr_follow_run(struct memory_system *system, const struct warp *warp, uint32_t pc);
/* The sectors that are not on their way to the L2 already with what a store of the same run has
 * changed. */
uint8_t mshr_not_outgoing(const struct write_combining_run *run, struct outgoing *outgoing,
                          uint8_t sectors);

#endif
