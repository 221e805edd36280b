// sim --arch compute_90 --grid 6 --block 32 --cluster 3 --kernel k --arg i32*192=zero --arg i32*192=uninit
// both builds
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *between, int *out) {
    auto cluster = cg::this_cluster();
    int at = blockIdx.x * 32 + threadIdx.x;
    between[at] = at;
    cluster.sync();
    int peer = blockIdx.x / 3 * 3 + (blockIdx.x + 1) % 3;
    out[at] = between[peer * 32 + threadIdx.x];
}
__global__ void check(const int *between, const int *out) {
    for (int i = 0; i < 192; i++)
        if (out[i] != ((i / 32) / 3 * 3 + (i / 32 + 1) % 3) * 32 + i % 32)
            __trap();
}
