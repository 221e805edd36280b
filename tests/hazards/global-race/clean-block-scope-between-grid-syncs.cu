// sim --grid 4 --block 64 --arg i32*4=zero --arg i32*4=uninit
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *n, int *out) {
    cg::grid_group grid = cg::this_grid();
    atomicAdd_block(&n[blockIdx.x], 1);
    grid.sync();
    atomicAdd_block(&n[(blockIdx.x + 1) % 4], 1);
    grid.sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = n[(blockIdx.x + 2) % 4];
}
__global__ void check(int *n, int *out) {
    for (int b = 0; b < 4; b++)
        if (out[b] != 128)
            __trap();
}
