// sim --arch compute_90 --grid 2 --block 32 --cluster 2 --arg i32*64=zero
// both builds
// A block that never goes on has not left: its memory is there, and no line of it is to blame.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
    __shared__ int s[32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    int t = threadIdx.x;
    s[t] = t;
    cluster.sync();
    int x = 0;
    if (rank == 1)
        x = cluster.map_shared_rank(s, 0)[t];
    else
        asm volatile("bar.sync 1, 64;" ::: "memory"); // HAZARD deadlock error
    if (rank == 1)
        x += cluster.map_shared_rank(s, 0)[31 - t];
    out[rank * 32 + t] = x;
}
