// An array of structs: thread i reads FIELDS of the WORDS words of struct i, one word a load and each load
// beside no other lane's, and with STORE writes the first word back. FAR: each load needs the one before, as
// where a field says what is done with the next; else all are on their way at once.
__global__ void run(const float *in, float *out, unsigned long long *cycles, unsigned rounds)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float sum = 0;
    long long start = clock64();
#pragma unroll 1
    for (unsigned round = 0; round < rounds; round++) {
        unsigned long long record = ((unsigned long long)round * threads + thread) * WORDS;
        float v[FIELDS], last = 0;
#pragma unroll
        for (unsigned f = 0; f < FIELDS; f++) {
            const float *from = in + record + f + (FAR && last == 1.2345f);
            asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v[f]) : "l"(from));
            last = v[f];
        }
#pragma unroll
        for (unsigned f = 0; f < FIELDS; f++)
            sum += v[f];
        if (STORE)
            asm volatile("st.global.f32 [%0], %1;" ::"l"(out + record), "f"(sum) : "memory");
    }
    if (sum == 1.2345f)
        out[0] = sum;
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
}
