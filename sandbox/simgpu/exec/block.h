/* Blocks: made once for each host thread and resident slot, started and run many times. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_BLOCK_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_BLOCK_H

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/host_thread.h"

enum block_state {
    BLOCK_ENDED,
    BLOCK_YIELDS,  /* all its warps poll memory: another block may have to move first */
    BLOCK_SLEEPS,  /* nothing that they poll has changed: nothing was executed */
    BLOCK_STOPPED, /* the launch ends */
};
static inline bool block_goes_on(enum block_state state) {
    return state == BLOCK_YIELDS || state == BLOCK_SLEEPS;
}
/* A block with its warps and their registers is one piece of memory: `room`, of block_bytes()
 * zeroes, aligned, that outlives the block; or NULL, and it allocates its own. */
enum { BLOCK_ALIGNMENT = 64 };
size_t block_bytes(const struct launch *launch); /* a multiple of the alignment */
struct block *block_create(struct host_thread *host_thread, void *room);
void block_start(struct block *block, uint64_t index, uint64_t budget);
enum block_state block_run(struct block *block);
void block_free(struct block *block);

#endif
