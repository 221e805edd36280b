// As plain, but a block a token: its 32 angles are made once and stand in shared memory.
__global__ void turn(const float *in, float *out, int tokens)
{
    __shared__ float sines[32], cosines[32];
    if (threadIdx.x < 32)
        sincosf(blockIdx.x * powf(10000.0f, -(int)threadIdx.x / 32.0f), &sines[threadIdx.x],
                &cosines[threadIdx.x]);
    __syncthreads();
    for (int pair = threadIdx.x; pair < 512; pair += blockDim.x) {
        int d = pair % 32;
        size_t at = (size_t)blockIdx.x * 1024 + pair / 32 * 64 + d;
        float a = in[at], b = in[at + 32];
        out[at] = a * cosines[d] - b * sines[d];
        out[at + 32] = a * sines[d] + b * cosines[d];
    }
}
