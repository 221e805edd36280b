// sim --grid 4 --block 32 --arg i32*128=iota --arg i32*128=zero
#include <cooperative_groups.h>
__global__ void k(int *a, int *b) {
    auto grid = cooperative_groups::this_grid();
    int i = grid.thread_rank();
    for (int turn = 0; turn < 3; turn++) {
        b[i] = a[127 - i] + 1;
        grid.sync();
        a[i] = b[(i + 40) % 128];
        grid.sync();
    }
}
