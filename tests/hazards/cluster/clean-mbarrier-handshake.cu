// sim --arch compute_90 --grid 4 --block 64 --cluster 2 --kernel k --arg i32*256=uninit
// A block tells its peer by an mbarrier in the peer's memory that it has written there.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ void wait(unsigned long long *bar) {
    unsigned at = (unsigned)__cvta_generic_to_shared(bar), done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;"
                     " selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at) : "memory");
}
__global__ void k(int *out) {
    __shared__ int s[64];
    __shared__ unsigned long long full;
    auto cluster = cg::this_cluster();
    unsigned peer = cluster.block_rank() ^ 1;
    unsigned own = (unsigned)__cvta_generic_to_shared(&full), theirs;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(own) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    cluster.map_shared_rank(s, peer)[threadIdx.x] = 1000 * blockIdx.x + threadIdx.x;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(theirs) : "r"(own), "r"(peer));
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(theirs) : "memory");
    wait(&full);
    out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void check(const int *out) {
    for (int i = 0; i < 256; i++)
        if (out[i] != 1000 * (i / 64 ^ 1) + 63 - i % 64)
            __trap();
}
