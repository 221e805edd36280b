// As in a product of matrices: a word that is the same for all lanes, a word a lane, a multiplication,
// over and over; the lanes' words repeat after `lines` lines.
__global__ void run(const float *a, const float *b, float *out, unsigned long long *cycles, int steps, int lines)
{
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const float *one = a + warp * 64, *each = b + lane;
    float sum = 0.0f;
    long long start = clock64();
#pragma unroll 1
    for (int k = 0; k < steps; k += 16)
#pragma unroll
        for (int u = 0; u < 16; u++)
            sum += one[(k & 48) + u] * each[(k + warp * 16 & lines - 1) * 32 + u * 32];
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
