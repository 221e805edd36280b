// One thread a block adds up what the others have stored.
__global__ void reduce(const float *in, float *out, int n)
{
    __shared__ float s[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int j = 0; j < 256; j++)
            sum += s[j];
        out[blockIdx.x] = sum;
    }
}
