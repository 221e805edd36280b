/* Blocks that wait for words of other blocks. For the cost model: see block_dependency.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_BLOCK_DEPENDENCY_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_BLOCK_DEPENDENCY_H

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"

struct block_dependency;

/* How long blocks take from one event to the next, as the replay has it. */
struct dependency_pace {
    double *sums;   /* [2 * pc + again]: clocks since the block's event before, or since its start;
                       `again`: that one was of the same instruction */
    double *counts; /* ... of this many */
    double *least;  /* ... the least of them, plus 1; 0: none */
    double tail, tails; /* from a block's last event to its end: the same */
};

struct dependency_device {
    double seen_cycles;  /* from a store to a poll of another SM that finds it */
    double l2_cycles;    /* of a load that finds its word in the L2 */
    double block_cycles; /* from a block's end to the start of the next */
    uint64_t places;     /* blocks that run at a time */
};

/* NULL where no thread looks for what others have written. */
struct block_dependency *block_dependency_create(const struct launch *launch);
void block_dependency_free(struct block_dependency *dependency);

/* residency.c: a block has this slot; it has ended. */
void block_dependency_start_block(const struct launch *launch, uint32_t slot);
void block_dependency_end_block(const struct block *block);
/* access.c: a request in global memory, before it is done. */
void block_dependency_access(const struct warp *warp, uint32_t pc, lane_mask lanes,
                             const device_address *addresses);

enum dependency_role { DEPENDENCY_NONE, DEPENDENCY_POLL, DEPENDENCY_PUBLISH, DEPENDENCY_TEST };
/* By pc: enum dependency_role. */
const uint8_t *block_dependency_roles(const struct block_dependency *dependency);

struct dependency_pace block_dependency_pace_create(size_t length);
void block_dependency_pace_free(struct dependency_pace *pace);
void block_dependency_pace_note(struct dependency_pace *pace, uint32_t pc, bool again,
                                double clocks);
/* Clocks that the launch lasts longer because blocks wait for each other; the instruction that
 * waits most often is *pc. */
double block_dependency_wait(const struct block_dependency *dependency,
                             const struct dependency_pace *pace,
                             const struct dependency_device *device, uint32_t *pc);

#endif
