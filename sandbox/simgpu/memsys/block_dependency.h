/* Blocks that wait for words of other blocks. For the cost model: see block_dependency.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_BLOCK_DEPENDENCY_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_BLOCK_DEPENDENCY_H

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"

struct chain;

/* How long blocks take from one event to the next, as the replay has it. */
struct chain_pace {
    double *sums;   /* [2 * pc + again]: clocks since the block's event before, or since its start;
                       `again`: that one was of the same instruction */
    double *counts; /* ... of so many */
    double *least;  /* ... the least of them, plus 1; 0: none */
    double tail, tails; /* from a block's last event to its end: the same */
};

struct chain_device {
    double seen_cycles;  /* from a store to a poll of another SM that finds it */
    double l2_cycles;    /* of a load that finds its word in the L2 */
    double block_cycles; /* from a block's end to the start of the next */
    uint64_t places;     /* blocks that run at a time */
};

/* NULL where no thread looks for what others have written. */
struct chain *chain_create(const struct launch *launch);
void chain_free(struct chain *chain);

/* residency.c: the block is in its slot; it has ended. */
void chain_start_block(const struct block *block);
void chain_end_block(const struct block *block);
/* access.c: a request in global memory, before it is done. */
void chain_access(const struct warp *warp, uint32_t pc, lane_mask lanes,
                  const device_address *addresses);

enum chain_role { CHAIN_NOTHING, CHAIN_LOOKS, CHAIN_SHOWS, CHAIN_TESTS };
/* By pc: enum chain_role. */
const uint8_t *chain_roles(const struct chain *chain);

struct chain_pace chain_pace_create(size_t length);
void chain_pace_free(struct chain_pace *pace);
void chain_pace_note(struct chain_pace *pace, uint32_t pc, bool again, double clocks);
/* Clocks that the launch lasts longer because blocks wait for one another; the instruction that
 * waits most often is *pc. */
double chain_wait(const struct chain *chain, const struct chain_pace *pace,
                  const struct chain_device *device, uint32_t *pc);

#endif
