/* Blocks: made once for each host thread and resident slot, started and run many times. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_BLOCK_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_BLOCK_H

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/host_thread.h"

enum block_state {
    BLOCK_ENDED,
    BLOCK_YIELDS,  /* all its warps poll memory: another block may have to move first */
    BLOCK_STOPPED, /* the launch ends */
};
struct block *block_create(struct host_thread *host_thread);
void block_start(struct block *block, uint64_t index, uint64_t budget);
enum block_state block_run(struct block *block);
void block_free(struct block *block);

#endif
