// sim --grid 1 --block 64 --arg f32*64=iota --arg f32*64=zero
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const float *a, float *b) {
    __shared__ float s[64];
    cg::thread_block block = cg::this_thread_block();
    s[block.thread_rank()] = a[threadIdx.x];
    block.sync();
    b[threadIdx.x] = s[63 - threadIdx.x];
}
