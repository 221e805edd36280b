// sim --arch compute_90 --grid 4,4,2 --block 32 --kernel k --arg i32*32=uninit
// both builds
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 2, 2) k(int *out) {
    __shared__ int s;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        s = 0;
    cluster.sync();
    if (threadIdx.x == 0) {
        dim3 at = cluster.block_index(), size = cluster.dim_blocks();
        unsigned rank = at.x + size.x * (at.y + size.y * at.z);
        atomicAdd(cluster.map_shared_rank(&s, 7 - rank), (int)(1 + rank + 10 * cluster.block_rank()));
        cg::grid_group grid = cg::this_grid();
        out[(blockIdx.z * 4 + blockIdx.y) * 4 + blockIdx.x] = (int)(100 * (grid.cluster_index().y * 2 + grid.cluster_index().x));
    }
    cluster.sync();
    if (threadIdx.x == 0)
        out[(blockIdx.z * 4 + blockIdx.y) * 4 + blockIdx.x] += s;
}
__global__ void check(const int *out) {
    for (int i = 0; i < 32; i++) {
        int x = i % 4, y = i / 4 % 4, z = i / 16, rank = 7 - (x % 2 + 2 * (y % 2) + 4 * z);
        if (out[i] != 100 * (y / 2 * 2 + x / 2) + 1 + 11 * rank)
            __trap();
    }
}
