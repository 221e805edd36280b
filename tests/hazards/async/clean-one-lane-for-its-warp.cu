// sim --grid 1 --block 96 --arg i32*1024=uniform:const --arg i32*1024=uninit
/* One warp fills a ring for two others. One lane arrives for its warp, and one waits for it, with
 * __syncwarp() in between. */
#include <cuda_awbarrier_primitives.h>
__device__ bool passed(__mbarrier_t *barrier, int turn) {
    unsigned there = (unsigned)__cvta_generic_to_shared(barrier), done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(there), "r"(turn & 1) : "memory");
    return done;
}
__device__ void wait(__mbarrier_t *barrier, int turn) {
    if (threadIdx.x % 32 == 0)
        while (!passed(barrier, turn))
            ;
    __syncwarp();
}
__device__ void arrive(__mbarrier_t *barrier) {
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        __mbarrier_arrive(barrier);
}
__global__ void k(const int *in, int *out) {
    __shared__ int s[2][64];
    __shared__ __mbarrier_t full[2], empty[2];
    int t = threadIdx.x;
    if (t == 0)
        for (int i = 0; i < 2; i++) {
            __mbarrier_init(&full[i], 1);
            __mbarrier_init(&empty[i], 2);
        }
    __syncthreads();
    for (int tile = 0; tile < 16; tile++) {
        int stage = tile % 2, turn = tile / 2;
        if (t < 64) {
            wait(&full[stage], turn);
            out[tile * 64 + t] = s[stage][63 - t];
            arrive(&empty[stage]);
            continue;
        }
        if (tile >= 2)
            wait(&empty[stage], turn - 1);
        s[stage][t - 64] = in[tile * 64 + t - 64];
        s[stage][t - 32] = in[tile * 64 + t - 32];
        arrive(&full[stage]);
    }
}
__global__ void check(const int *in, int *out) {
    for (int i = 0; i < 1024; i++)
        if (out[i] != in[i / 64 * 64 + 63 - i % 64])
            __trap();
}
