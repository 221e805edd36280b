// sim --arch compute_90 --grid 2 --block 64 --cluster 2 --kernel k --arg i32*2=uninit
// says went past it without waiting
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
    auto cluster = cg::this_cluster();
    if (cluster.block_rank() == 0)
        cluster.sync(); // HAZARD barrier-divergence error
    out[blockIdx.x] = 1; // HAZARD global-race any
}
