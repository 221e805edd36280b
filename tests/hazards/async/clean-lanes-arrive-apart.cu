// sim --grid 1 --block 64 --arg i32*512=uniform:const --arg i32*512=uninit
/* One lane writes for all and arrives by itself, after the others of its warp. */
#include <cuda_awbarrier_primitives.h>
__device__ bool passed(__mbarrier_t *barrier, int turn) {
    unsigned there = (unsigned)__cvta_generic_to_shared(barrier), done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(there), "r"(turn & 1) : "memory");
    return done;
}
__global__ void k(const int *in, int *out) {
    __shared__ int s[2][64];
    __shared__ __mbarrier_t full;
    int t = threadIdx.x;
    if (t == 0)
        __mbarrier_init(&full, 64);
    __syncthreads();
    for (int tile = 0; tile < 8; tile++) {
        if (t != 0) {
            __mbarrier_arrive(&full);
        } else {
            for (int i = 0; i < 64; i++)
                s[tile % 2][i] = in[tile * 64 + i];
            __mbarrier_arrive(&full);
        }
        while (!passed(&full, tile))
            ;
        out[tile * 64 + t] = s[tile % 2][63 - t];
    }
}
__global__ void check(const int *in, int *out) {
    for (int i = 0; i < 512; i++)
        if (out[i] != in[i / 64 * 64 + 63 - i % 64])
            __trap();
}
