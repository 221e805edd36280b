// sim --grid 6 --block 64 --arg f32*386=iota --arg f32*386=iota
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(float *a, float *b) {
    auto grid = cg::this_grid();
    int i = grid.thread_rank() + 1;
    for (int step = 0; step < 2; step++) {
        b[i] = (a[i - 1] + a[i] * 2 + a[i + 1]) / 4 + 1; // HAZARD global-race error
        grid.sync();
        a[i] = b[i]; // HAZARD global-race error: the next step reads its neighbours without waiting
    }
}
