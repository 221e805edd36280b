// sim --plain --grid 4 --block 64 --arg i32*256=iota
// says not launched cooperatively
// advises Do without the grid's barrier
#include <cooperative_groups.h>
__global__ void k(int *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 1;
    cooperative_groups::this_grid().sync(); // HAZARD invalid-launch error
    a[i] = 2;
}
