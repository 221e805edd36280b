// sim --grid 4 --block 32 --arg i32*4=zero --arg i32*4=uninit
#include <cooperative_groups.h>
__global__ void k(volatile int *data, int *out) {
    if (threadIdx.x == 0)
        data[blockIdx.x] = blockIdx.x;
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = data[(blockIdx.x + 1) % 4];
}
