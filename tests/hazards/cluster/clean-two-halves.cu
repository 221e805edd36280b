// sim --arch compute_90 --grid 4 --block 64 --cluster 2 --kernel k --arg i32*256=uninit
// both builds
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
    __shared__ int s[64], own[64];
    auto cluster = cg::this_cluster();
    s[threadIdx.x] = threadIdx.x;
    cluster.barrier_arrive();
    own[threadIdx.x] = 7; // another block has no part in it
    cluster.barrier_wait();
    const int *theirs = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * 64 + threadIdx.x] = theirs[63 - threadIdx.x] + own[threadIdx.x];
    cluster.barrier_arrive();
    cluster.barrier_wait();
}
__global__ void check(const int *out) {
    for (int i = 0; i < 256; i++)
        if (out[i] != 70 - i % 64)
            __trap();
}
