// A kernel that has grid.sync() is advised to use it.
// sim --grid 2 --block 32 --arg i32*64=zero --arg i32*64=zero
// advises `grid.sync()` between
#include <cooperative_groups.h>
__global__ void k(int *a, int *b)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    cooperative_groups::this_grid().sync();
    a[i] = i;         // HAZARD global-race any
    b[i] = a[63 - i]; // HAZARD global-race any
}
