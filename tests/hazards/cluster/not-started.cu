// sim --arch compute_90 --grid 4 --block 64 --cluster 2 --kernel k --arg i32*4=uninit
// both builds
// says may not have started
// advises at the beginning
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int *theirs = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    theirs[threadIdx.x] = threadIdx.x; // HAZARD shared-race error
    cluster.sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[63];
}
