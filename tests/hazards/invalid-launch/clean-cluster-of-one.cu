// sim --kernel ranks --grid 4 --block 64 --arg i32*4=uninit --arch compute_90
// both builds
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(1, 1, 1) ranks(int *out) {
    __shared__ int kept;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        *cluster.map_shared_rank(&kept, 0) = blockIdx.x;
    cluster.sync();
    if (threadIdx.x == 63)
        out[blockIdx.x] = kept + 10 * cluster.num_blocks() + 100 * cluster.block_rank();
}

__global__ void check(const int *out) {
    for (int i = 0; i < 4; i++)
        if (out[i] != i + 10)
            __trap();
}
