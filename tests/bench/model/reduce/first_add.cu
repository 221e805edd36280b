// Sequential addressing, eight elements a thread added while loading.
__global__ void reduce(const float *in, float *out, int n)
{
    __shared__ float s[256];
    int tid = threadIdx.x, first = blockIdx.x * 2048 + tid;
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < 8; j++)
        sum += first + j * 256 < n ? in[first + j * 256] : 0.0f;
    s[tid] = sum;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (tid < step)
            s[tid] += s[tid + step];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = s[0];
}
