// sim --arch compute_90 --grid 4 --block 32 --cluster 2 --kernel k --arg i32*128=zero --arg i32*128=uninit
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *between, int *out) {
    auto cluster = cg::this_cluster();
    int at = blockIdx.x * 32 + threadIdx.x;
    between[at] = at; // HAZARD global-race any
    cluster.sync();
    out[at] = between[(at + 64) % 128]; // HAZARD global-race any
}
