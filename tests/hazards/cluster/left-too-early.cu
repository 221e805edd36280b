// sim --arch compute_90 --grid 4 --block 64 --cluster 2 --kernel k --arg i32*256=uninit
// both builds
// says before it leaves the kernel
// advises before the kernel ends
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    s[threadIdx.x] = threadIdx.x;
    cluster.sync();
    const int *theirs = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * 64 + threadIdx.x] = theirs[threadIdx.x]; // HAZARD shared-race error
}
