// sim --grid 1 --block 64 --arg i32*64=uniform:const --arg i32*64=uninit
#include <cuda_awbarrier_primitives.h>
__device__ bool passed(__mbarrier_t *barrier, int turn) {
    unsigned there = (unsigned)__cvta_generic_to_shared(barrier), done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(there), "r"(turn & 1) : "memory");
    return done;
}
__global__ void k(const int *in, int *out) {
    __shared__ int s[64];
    __shared__ __mbarrier_t full;
    int t = threadIdx.x;
    if (t == 0)
        __mbarrier_init(&full, 2);
    __syncthreads();
    s[t] = in[t];
    if (t % 32 == 0) // and no __syncwarp() before
        __mbarrier_arrive(&full);
    while (!passed(&full, 0))
        ;
    out[t] = s[63 - t]; // HAZARD shared-race error
}
