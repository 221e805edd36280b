/* Addresses in a cluster (PTX ISA 9.7.9.23 and 24): clusters have one block, of rank 0. */
#include "sandbox/simgpu/exec/executors/executor.h"

#include "sandbox/simgpu/state/lanes.h"

/* An address in another block's shared memory belongs to no allocation. */
BINARY(mapa_u64, uint64_t, uint64_t,
       ((const uint32_t *)b)[lane] == 0 ? a[lane] : a[lane] | (uint64_t)1 << 63)
BINARY(mapa_u32, uint32_t, uint32_t, b[lane] == 0 ? a[lane] : a[lane] | (uint32_t)1 << 31)

EXECUTOR(getctarank) {
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    WRITE_LANES(d, 0);
}
