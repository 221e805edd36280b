// sim --plain --grid 4 --block 64 --arg i32*256=iota
// both builds
#include <cooperative_groups.h>
__global__ void k(int *a) {
    auto grid = cooperative_groups::this_grid();
    a[grid.thread_rank()] = 1;
    if (grid.is_valid())
        grid.sync();
}
