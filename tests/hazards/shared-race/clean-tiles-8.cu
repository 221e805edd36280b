// sim --grid 1 --block 64 --arg i32*64=iota:const --arg i32*64=uninit
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int *a, int *b) {
    __shared__ int s[64];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int base = threadIdx.x / 8 * 8, r = tile.thread_rank();
    s[threadIdx.x] = a[threadIdx.x];
    tile.sync();
    for (int i = 0; i < 3; i++) {
        int x = s[base + (r + 1) % 8];
        tile.sync();
        s[threadIdx.x] = x;
        tile.sync();
    }
    b[threadIdx.x] = s[base + 7 - r];
}
