// sim --grid 1 --block 32 --arg i32*32=iota:const --arg i32*32=uninit
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int *a, int *b) {
    __shared__ int s[32];
    auto half = cg::tiled_partition<16>(cg::this_thread_block());
    s[threadIdx.x] = a[threadIdx.x];
    half.sync();
    b[threadIdx.x] = s[31 - threadIdx.x]; // HAZARD shared-race error
}
