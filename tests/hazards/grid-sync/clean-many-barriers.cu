// sim --grid 4 --block 256 --arg i32*1024=iota --arg i32*1024=zero
#include <cooperative_groups.h>
__global__ void k(int *a, int *b) {
    auto grid = cooperative_groups::this_grid();
    int i = grid.thread_rank();
    for (int turn = 0; turn < 400; turn++) {
        b[i] = a[1023 - i] + 1;
        grid.sync();
        a[i] = b[(i + 40) % 1024];
        grid.sync();
    }
}
