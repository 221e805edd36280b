// sim --grid 1 --block 512 --arg f32*4096=uniform:const --arg f32*512=zero
/* Each thread copies four bytes at a time and arrives at every stage, as those of a cuda::pipeline
 * do, and each word is read by all warps: no lane searches for what orders them. */
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>
__device__ bool passed(__mbarrier_t *barrier, int turn) {
    unsigned there = (unsigned)__cvta_generic_to_shared(barrier), done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(there), "r"(turn & 1) : "memory");
    return done;
}
__device__ void wait(__mbarrier_t *barrier, int turn) {
    while (!passed(barrier, turn))
        ;
}
__global__ void k(const float *in, float *out) {
    __shared__ float s[2][512];
    __shared__ __mbarrier_t full[2], empty[2];
    int t = threadIdx.x;
    float sum = 0;
    if (t == 0)
        for (int i = 0; i < 2; i++) {
            __mbarrier_init(&full[i], 512);
            __mbarrier_init(&empty[i], 512);
        }
    __syncthreads();
#pragma unroll 1
    for (int tile = -1; tile < 8; tile++) {
        int next = tile + 1, stage = next % 2;
        if (next < 8) {
            if (next >= 2)
                wait(&empty[stage], next / 2 - 1);
            for (int i = t; i < 512; i += 512)
                __pipeline_memcpy_async(&s[stage][i], &in[next * 512 + i], 4);
            __pipeline_arrive_on(&full[stage]);
            __mbarrier_arrive(&full[stage]);
        }
        if (tile < 0)
            continue;
        stage = tile % 2;
        wait(&full[stage], tile / 2);
        for (int i = 0; i < 16; i++)
            sum += s[stage][i * 32 + t % 32] * s[stage][i * 32 + t / 16];
        __mbarrier_arrive(&empty[stage]);
    }
    out[t] = sum;
}
