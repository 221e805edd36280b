// sim --arch compute_90 --grid 2 --block 64 --arg i32*128=uninit
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    s[threadIdx.x] = threadIdx.x;
    cluster.sync();
    int *peer = cluster.map_shared_rank(s, 0);
    out[blockIdx.x * 64 + threadIdx.x] = peer[63 - threadIdx.x] + 100 * cluster.num_blocks() + cluster.block_rank();
    cluster.sync();
}
__global__ void check(int *out) {
    for (int i = 0; i < 128; i++)
        if (out[i] != 163 - i % 64)
            __trap();
}
