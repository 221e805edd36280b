/* Addresses in a cluster (PTX ISA 9.7.9.23 and 24): see state/cluster.h for their form. */
#include "sandbox/simgpu/exec/executors/executor.h"

#include "sandbox/simgpu/state/cluster.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/launch.h"

/* `nowhere`: for a rank that the cluster does not have, an address that belongs to no allocation.
 * Where a cluster has one block, its addresses are those of the block itself. */
static uint64_t map_address(const struct warp *warp, uint64_t address, uint32_t rank,
                            uint64_t nowhere) {
    uint32_t size = warp->block->launch->cluster_size;
    if (rank >= size)
        return address | nowhere;
    if (size == 1)
        return address;
    uint64_t field = (uint64_t)0xff << CLUSTER_SHIFT;
    return (address & ~field) | (uint64_t)(rank + 1) << CLUSTER_SHIFT;
}

EXECUTOR(mapa_u64) {
    uint64_t *d = VECTOR_AT(uint64_t, 0);
    const uint64_t *a = VECTOR_AT(uint64_t, 1);
    const uint32_t *b = VECTOR_AT(uint32_t, 2);
    WRITE_LANES(d, map_address(warp, a[lane], b[lane], (uint64_t)1 << 63));
}
EXECUTOR(mapa_u32) {
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    const uint32_t *a = VECTOR_AT(uint32_t, 1), *b = VECTOR_AT(uint32_t, 2);
    WRITE_LANES(d, (uint32_t)map_address(warp, a[lane], b[lane], (uint64_t)1 << 31));
}

static uint32_t rank_of(const struct warp *warp, uint64_t address) {
    uint32_t rank = (uint32_t)(address >> CLUSTER_SHIFT) & 0xff;
    return rank ? rank - 1 : warp->block->rank;
}

EXECUTOR(getctarank_u64) {
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    const uint64_t *a = VECTOR_AT(uint64_t, 1);
    WRITE_LANES(d, rank_of(warp, a[lane]));
}
EXECUTOR(getctarank_u32) {
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    const uint32_t *a = VECTOR_AT(uint32_t, 1);
    WRITE_LANES(d, rank_of(warp, a[lane]));
}
