// Each thread walks a run of its own to its end, `words` words one after the other, and the runs lie side by
// side: of each line 32 words are asked for at 32 times. How much of it a cache still has when the lines of all
// threads are a part of it or more shows how it chooses what it drops. CACHE: "ca" asks the L1, "cg" the L2
// alone. STORE: 1 writes a run of `out`, 2 reads it first; sectors go back to device memory in pieces where
// the L2 drops them. UNROLL: words of a run that are on their way together.
__global__ void run(const float *in, float *out, unsigned long long *cycles, unsigned words)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    const float *from = in + (unsigned long long)thread * words;
    float *to = out + (unsigned long long)thread * words, sum = 0;
    long long start = clock64();
#pragma unroll 1
    for (unsigned i = 0; i + UNROLL <= words; i += UNROLL) {
        float v[UNROLL], w[UNROLL];
#pragma unroll
        for (unsigned j = 0; j < UNROLL; j++) {
            asm volatile("ld.global." CACHE ".f32 %0, [%1];" : "=f"(v[j]) : "l"(from + i + j));
            w[j] = 0;
            if (STORE == 2)
                asm volatile("ld.global." CACHE ".f32 %0, [%1];" : "=f"(w[j]) : "l"(to + i + j));
        }
#pragma unroll
        for (unsigned j = 0; j < UNROLL; j++) {
            sum += v[j];
            if (STORE)
                asm volatile("st.global.f32 [%0], %1;" ::"l"(to + i + j), "f"(2.5f * v[j] + w[j]) : "memory");
        }
    }
    if (sum == 1.2345f)
        to[0] = sum;
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
}
