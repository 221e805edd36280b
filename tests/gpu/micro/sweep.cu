// A word of each sector of a footprint is loaded or stored, again and again in the same order, past the
// first-level cache: what the second one keeps.
__global__ void run(const float *in, float *out, unsigned long long *cycles, unsigned sectors, int passes)
{
    float sum = 0;
    long long start = clock64();
    for (int pass = 0; pass < passes; pass++)
        for (unsigned s = blockIdx.x * blockDim.x + threadIdx.x; s < sectors; s += gridDim.x * blockDim.x)
#if STORE
            out[s * 8 + pass % 8] = 1;
#else
            sum += __ldcg(&in[s * 8]);
#endif
    if (sum == 1.2345f)
        out[0] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
}
