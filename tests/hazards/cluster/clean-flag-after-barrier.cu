// sim --arch compute_90 --grid 4 --block 32 --cluster 2 --kernel k --arg i32*128=zero --arg i32*1=zero --arg i32*128=uninit
// What the cluster's barrier has taught a thread, its fence passes on to other clusters.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *data, int *flag, int *out) {
    auto cluster = cg::this_cluster();
    int at = blockIdx.x * 32 + threadIdx.x;
    if (blockIdx.x < 2) {
        data[at] = at;
        cluster.sync();
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        if (threadIdx.x == 0)
            while (!atomicAdd(flag, 0))
                ;
        __threadfence();
        cluster.sync();
        out[at] = data[at - 64] + data[(at - 32) % 64];
    }
}
