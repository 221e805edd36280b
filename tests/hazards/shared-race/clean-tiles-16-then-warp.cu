// sim --grid 1 --block 64 --arg i32*64=iota:const --arg i32*64=uninit
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int *a, int *b) {
    __shared__ int s[64];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto half = cg::tiled_partition<16>(warp);
    s[threadIdx.x] = a[threadIdx.x];
    half.sync();
    warp.sync();
    int x = s[threadIdx.x ^ 31];
    warp.sync();
    s[threadIdx.x] = x;
    warp.sync();
    b[threadIdx.x] = s[threadIdx.x ^ 16];
}
