// sim --arch compute_90 --grid 2 --block 32 --cluster 2 --kernel k --arg i32*64=uninit
// says of block (
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
    __shared__ int s[32];
    auto cluster = cg::this_cluster();
    s[threadIdx.x] = 1;
    cluster.sync();
    int *theirs = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * 32 + threadIdx.x] = theirs[threadIdx.x + 1]; // HAZARD out-of-bounds error
    cluster.sync();
}
