// sim --arch compute_90 --grid 4 --block 64 --cluster 2 --kernel k --arg i32*256=uninit
// maybe uninitialized-read
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    cluster.sync();
    cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[threadIdx.x] = threadIdx.x; // HAZARD shared-race error
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x]; // HAZARD shared-race error
    cluster.sync();
}
