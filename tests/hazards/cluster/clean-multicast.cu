// sim --arch compute_90 --grid 4 --block 32 --cluster 4 --kernel k --arg i32*32=iota:const --arg i32*128=uninit
// One block reads a tile for the whole cluster.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int *in, int *out) {
    __shared__ alignas(128) int tile[32];
    __shared__ unsigned long long full;
    auto cluster = cg::this_cluster();
    unsigned bar = (unsigned)__cvta_generic_to_shared(&full), to = (unsigned)__cvta_generic_to_shared(tile);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(bar) : "memory");
    }
    cluster.sync();
    if (cluster.block_rank() == 1 && threadIdx.x == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
                     " [%0], [%1], 128, [%2], %3;" ::"r"(to), "l"(in), "r"(bar), "h"((short)11) : "memory");
    unsigned done = cluster.block_rank() == 2;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;"
                     " selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar) : "memory");
    out[blockIdx.x * 32 + threadIdx.x] = cluster.block_rank() == 2 ? -1 : tile[threadIdx.x];
    cluster.sync();
}
__global__ void check(const int *in, const int *out) {
    for (int i = 0; i < 128; i++)
        if (out[i] != (i / 32 == 2 ? -1 : i % 32))
            __trap();
}
