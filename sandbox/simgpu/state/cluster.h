/* A cluster while it runs: blocks that run at the same time, have a barrier together and reach each
 * other's shared memory.
 *
 * An address of another block's shared memory has its rank, plus 1, above the offset, in the form
 * of 32 bits and in the generic one; an address without is one of the block's own. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_CLUSTER_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_CLUSTER_H

#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/block.h"

enum {
    MAX_CLUSTER_BLOCKS = 16,
    CLUSTER_SHIFT = 24, /* of the rank in an address */
};
#define CLUSTER_OFFSET_MASK (((device_address)1 << CLUSTER_SHIFT) - 1)

struct cluster_races;

struct cluster {
    uint64_t number;
    unsigned size, running;                   /* blocks; those that have not ended */
    struct block *blocks[MAX_CLUSTER_BLOCKS]; /* by rank; NULL: has not started */
    bool ended[MAX_CLUSTER_BLOCKS];
    uint32_t phases;             /* of its barrier, that are complete */
    struct cluster_races *races; /* see check/race_cluster.c; NULL: nothing is checked */
};

/* The block whose shared memory the offset of a window means, with the rank in its upper bits,
 * which are taken away; NULL: there is no such block. */
static inline struct block *cluster_owner(struct block *block, uint64_t *offset) {
    uint64_t rank = *offset >> CLUSTER_SHIFT;
    if (rank == 0)
        return block;
    if (!block->cluster || rank > block->cluster->size)
        return NULL;
    *offset &= CLUSTER_OFFSET_MASK;
    return block->cluster->blocks[rank - 1];
}

/* One form for an address of shared memory, for all blocks of the cluster. */
static inline device_address cluster_address(const struct block *block, device_address address) {
    bool own = block->cluster && address >> ADDRESS_SHIFT == WINDOW_SHARED &&
               (address & OFFSET_MASK) >> CLUSTER_SHIFT == 0;
    return own ? address | (device_address)(block->rank + 1) << CLUSTER_SHIFT : address;
}

#endif
