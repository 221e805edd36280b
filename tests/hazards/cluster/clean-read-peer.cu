// sim --arch compute_90 --grid 8 --block 64 --cluster 4 --kernel k --arg i32*512=uninit
// both builds
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    s[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
    cluster.sync();
    unsigned peer = (cluster.block_rank() + 1) % cluster.num_blocks();
    const int *theirs = cluster.map_shared_rank(s, peer);
    out[blockIdx.x * 64 + threadIdx.x] = theirs[63 - threadIdx.x];
    cluster.sync();
}
__global__ void check(const int *out) {
    for (int i = 0; i < 512; i++) {
        int block = i / 64, peer = block / 4 * 4 + (block + 1) % 4;
        if (out[i] != 100 * peer + 63 - i % 64)
            __trap();
    }
}
