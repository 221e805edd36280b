// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*32=zero
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int *a, int *b) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int x = a[threadIdx.x];
    for (int d = tile.size() / 2; d > 0; d /= 2)
        x += tile.shfl_down(x, d);
    b[threadIdx.x] = tile.shfl(x, 0);
    tile.sync();
}
__global__ void check(const int *a, int *b) {
    for (int i = 0; i < 32; i++)
        if (b[i] != (i / 8) * 64 + 28)
            __trap();
}
