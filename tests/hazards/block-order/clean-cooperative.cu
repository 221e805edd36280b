// sim --seed 3 --grid 12 --block 32 --arg i32*12=zero
#include <cooperative_groups.h>
__global__ void k(volatile int *state) {
    int t = blockIdx.x;
    if (threadIdx.x == 0) {
        if (t > 0)
            while (state[t - 1] == 0)
                ;
        state[t] = 1;
    }
    cooperative_groups::this_grid().sync();
}
