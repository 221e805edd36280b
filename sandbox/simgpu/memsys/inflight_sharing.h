/* Blocks that read the same at about the same time: what is left of one's fetch when another one
 * comes. For the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_INFLIGHT_SHARING_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_INFLIGHT_SHARING_H

#include "sandbox/simgpu/memsys/warp_trace.h"
#include "sandbox/simgpu/state/launch.h"

enum { INFLIGHT_PACES = 12 };

/* Sums over requests that find what another block of their wave has fetched: the part of that
 * fetch's time that is left. */
struct inflight_sharing {
    double blocks;                /* how many blocks lie between the two */
    double together;              /* where all blocks of a wave start together */
    double paces[INFLIGHT_PACES]; /* where the next block starts 1, 2, 4 .. clocks later */
};

/* One such request, which comes `behind` clocks after the fetch where both blocks start together,
 * and after it by its path alone; of a block that is `blocks` blocks after the other one. */
void inflight_sharing_note(struct inflight_sharing *inflight_sharing, double together,
                           double behind, double blocks, double fetch_clocks);

/* How the blocks of a launch start. */
struct block_pace {
    double together; /* share of the grid's blocks that start together */
    double clocks;   /* from one of the others to the next */
};
struct block_pace inflight_sharing_pace(const struct launch *launch, double running);

/* By allocation: how many blocks ask the L2 for a sector of it, on average. Caller frees; NULL
 * without a sample, where all blocks have been seen. */
double *inflight_sharing_sharers(const struct launch *launch);

/* The average over `requests` such requests, where `sharers` blocks share what is
 * fetched once, of which a sample has but two. */
double inflight_sharing_time_left(const struct inflight_sharing *inflight_sharing, double requests,
                                  double sharers, const struct block_pace *pace);

#endif
