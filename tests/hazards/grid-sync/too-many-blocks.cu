// sim --grid 100000 --block 64 --arg i32*1=zero
// expect invalid-launch error
#include <cooperative_groups.h>
__global__ void k(int *a) {
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *a = 1;
}
// says all of them must run at once
