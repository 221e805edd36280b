// sim --grid 4 --block 64 --arg i32*4=zero
// says waits at grid.sync(), to which 3 of 4 blocks have come. No thread of the grid is left that could come to it
// advises Let every block of the grid come
#include <cooperative_groups.h>
__global__ void k(int *out) {
    if (blockIdx.x == 2)
        return;
    if (threadIdx.x == 0)
        out[blockIdx.x] = 1;
    cooperative_groups::this_grid().sync(); // HAZARD deadlock error
}
