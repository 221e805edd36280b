// sim --grid 6 --block 64 --arg f32*386=iota --arg f32*386=iota
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(float *a, float *b) {
    auto grid = cg::this_grid();
    int i = grid.thread_rank() + 1;
    for (int step = 0; step < 4; step++) {
        b[i] = (a[i - 1] + a[i] * 2 + a[i + 1]) / 4 + 1;
        grid.sync();
        a[i] = b[i];
        grid.sync();
    }
}
__global__ void check(float *a, float *b) {
    for (int i = 5; i < 380; i++)
        if (a[i] != i + 4)
            __trap();
}
