// Each lane walks a row of its own, `words` words of it, rows `pitch` words apart, and no lane waits for
// another: what an SM, the L2 and device memory make of 32 places at once. LOADS: 1 a word of `in`, 2 one of
// `out`, too; STORE: a word of `out`; CHAINED: what is stored needs all words so far.
__global__ void run(const float *in, float *out, unsigned long long *cycles, unsigned pitch, unsigned words)
{
    unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    const float *from = in + (unsigned long long)row * pitch;
    float *to = out + (unsigned long long)row * pitch, sum = 0;
    long long start = clock64();
#pragma unroll 1
    for (unsigned i = 0; i < words; i++) {
        float v = 1, w = 0;
        if (LOADS > 0)
            asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v) : "l"(from + i));
        if (LOADS > 1)
            asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(w) : "l"(to + i));
        sum += v + w;
        if (STORE)
            asm volatile("st.global.f32 [%0], %1;" ::"l"(to + i), "f"(CHAINED ? sum : 2.5f * v + w) : "memory");
    }
    if (sum == 1.2345f)
        to[0] = sum;
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
}
