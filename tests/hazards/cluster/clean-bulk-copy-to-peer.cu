// sim --arch compute_90 --grid 4 --block 32 --cluster 2 --kernel k --arg i32*128=uninit
// A block copies its tile into its peer's memory; the peer's mbarrier counts the bytes.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
    __shared__ alignas(128) int mine[32], theirs[32];
    __shared__ unsigned long long full;
    auto cluster = cg::this_cluster();
    unsigned peer = cluster.block_rank() ^ 1;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&full);
    unsigned from = (unsigned)__cvta_generic_to_shared(mine), to = (unsigned)__cvta_generic_to_shared(theirs);
    mine[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(bar) : "memory");
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    cluster.sync();
    if (threadIdx.x == 0) {
        unsigned far_to, far_bar;
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(far_to) : "r"(to), "r"(peer));
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(far_bar) : "r"(bar), "r"(peer));
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];"
                     ::"r"(far_to), "r"(from), "r"(far_bar) : "memory");
    }
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;"
                     " selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar) : "memory");
    out[blockIdx.x * 32 + threadIdx.x] = theirs[threadIdx.x];
    cluster.sync();
}
__global__ void check(const int *out) {
    for (int i = 0; i < 128; i++)
        if (out[i] != 100 * (i / 32 ^ 1) + i % 32)
            __trap();
}
