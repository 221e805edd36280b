// sim --arch compute_90 --grid 8 --block 128 --cluster 4 --shared 256 --kernel k --arg i32*4096=iota:const --arg i32*512=zero
// both builds
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int *in, int *bins) {
    extern __shared__ int own[];
    auto cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        own[i] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 4096; i += gridDim.x * blockDim.x) {
        int bin = in[i] % 256;
        atomicAdd(cluster.map_shared_rank(own, bin / 64) + bin % 64, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        atomicAdd(&bins[cluster.block_rank() * 64 + i], own[i]);
}
__global__ void check(const int *in, const int *bins) {
    for (int i = 0; i < 256; i++)
        if (bins[i] != 16)
            __trap();
}
