/* Caches of a launch with a device profile: an L1 for each SM, one L2, and what reaches device
 * memory. See cache.c for the model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_CACHE_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_CACHE_H

#include "sandbox/simgpu/memsys/capture_recapture.h"
#include "sandbox/simgpu/memsys/inflight_sharing.h"
#include "sandbox/simgpu/state/access_shape.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"

/* What one static instruction did to the caches. */
struct cache_stats {
    uint64_t l1_sectors, l1_hits;
    uint64_t l2_sectors, l2_hits;
    uint64_t read_first, read_again; /* sectors from device memory: never seen before; others */
    uint64_t written_first,
        written_again; /* sectors that became dirty: for the first time; others */
    uint64_t read_shared,
        written_shared;   /* of a sample: those of the others that many blocks use */
    uint64_t read_met;    /* found in the L2, fetched by another block */
    uint64_t flushed;     /* dirty sectors that went to device memory */
    uint64_t ideal_bytes; /* distinct bytes read before written, and written */
    uint64_t window;      /* of the last access, an instruction's only one as a rule */
};

/* How an instruction's requests met the caches, of all simulated blocks alike. For the cost model.
 */
struct request_stats {
    uint64_t requests;
    uint64_t passes;          /* through the banks of the L1 */
    uint64_t missing;         /* that an L1 could not answer by itself */
    uint64_t fetching;        /* that device memory had to answer */
    uint64_t following_fetch; /* of the others, those for what their own block had just asked for */
    uint64_t l2_lines;        /* that they asked the L2 for */
    uint64_t stored_lines;    /* that they stored to */
    uint64_t stored_beside;   /* of those, the ones whose neighbour in 256 bytes the same request
                                 stored to */
    uint64_t dram_lines;      /* that the L2 did not have in any part */
    /* that the L2 answered with what another block had fetched; and where the data would still be
     * on their way to the L2 on the device, the part of that time that is left */
    uint64_t shared;
    struct inflight_sharing inflight_sharing;
    /* sectors that they asked the L2 for; of those, the ones that another block of a sample would
     * have asked for before, or half of them where both ask at about the same time */
    uint64_t asked;
    double after;
    /* that the L1 answered with what the same instruction of another warp, at the same place of its
     * path, had asked for; where that was a warp of another block; and with what another
     * instruction just had asked for, or the same one some passes of a loop before: it is most
     * often the one at other_pc - 1 */
    uint64_t found, found_far, found_other;
    uint64_t other_votes;
    uint32_t other_pc;
    /* atomics in shared memory: of requests that came after one of another warp of their block,
     * those that begin at the same address */
    uint64_t following, contended;
    uint64_t wide[2]; /* loads from shared memory: wavefronts if they were of 8 and of 16 bytes */
    uint64_t divisions, slow_issue,
        slow_clocks; /* see div_slow_path.h: their number and what they take */
    uint64_t
        joined; /* atomics, of the requests: those of one lane for all, see atomic_aggregation.h */
    uint64_t last_address;
    uint32_t last_slot, last_warp;
};

enum cache_access { CACHE_LOAD, CACHE_STORE, CACHE_ATOMIC, CACHE_LOAD_L2, CACHE_ACCESS_COUNT };

struct memory_system;

/* `sms` L1 caches of l1_bytes each, and an L2 of l2_bytes; on the device, `running` blocks run at a
 * time. */
struct memory_system *memory_system_create(const struct launch *launch, unsigned sms,
                                           uint64_t running, uint64_t l1_bytes, uint64_t l2_bytes);
/* By pc. */
struct request_stats *memory_system_requests(struct memory_system *system);
struct atomic_traffic *memory_system_atomics(struct memory_system *system);
/* By pc: see write_combining.h. */
const uint32_t *memory_system_combining_runs(const struct memory_system *system);
void memory_system_free(struct memory_system *system);

/* One request of a warp in global or local memory; the lanes' addresses as the instruction has
 * them.
 */
void cache_request(struct warp *warp, uint32_t pc, enum ptx_space space, lane_mask lanes,
                   const device_address *addresses, unsigned bytes, enum cache_access access);
/* A load from shared memory that may be one with those of the next words. */
void memory_system_note_wide(const struct warp *warp, uint32_t pc, struct access_shape *shape,
                             unsigned bytes);
/* A copy of `bytes` bytes in one piece, which passes the L1 by. */
void cache_bulk(struct warp *warp, uint32_t pc, device_address address, uint64_t bytes, bool store);

struct memory_extent {
    double read_sectors, written_sectors, ideal_bytes;
};
/* What the blocks of a whole grid touch, beside what the sample's first touches come to when each
 * counts as many times as its block. */
struct memory_estimate {
    double read_sectors, written_sectors, ideal_bytes;
    double read_weighted, written_weighted, ideal_weighted;
    struct memory_extent without[CAPTURE_GROUPS]; /* if that group were not in the sample */
    double far_share; /* of what blocks share, that whose blocks lie anywhere in the grid */
    double random;    /* 0..1: those blocks come at random, and not one after the other in turn */
};
struct memory_totals {
    struct memory_estimate all;
    double distinct_sectors; /* read or written */
    double shared_sectors;   /* of those, used by many blocks of the sample */
    double far_sectors;      /* ... used by blocks that lie anywhere in the grid */
    double dirty_share;      /* of the L2's sectors at the end */
    double l2_sectors;       /* that the device's L2 holds */
};
/* Once, when all blocks of the sample have ended. */
void memory_system_estimate(struct memory_system *system, const struct capture_sample *sample,
                            struct memory_totals *totals);
/* Of what goes back to device memory, the share that does so in whole lines whose bytes are all
 * known: written, or given by device memory before. */
double memory_system_whole_share(const struct memory_system *system);
/* Of what is stored, the share of lines that do so without the one beside them. */
double memory_system_lone_share(const struct memory_system *system);
/* One window's part of it. */
const struct memory_estimate *memory_system_window(const struct memory_system *system,
                                                   uint64_t window);

#endif
