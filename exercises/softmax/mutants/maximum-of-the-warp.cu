// The maximum of one warp is not that of another, but their sums are added.
#define BLOCK_SIZE 256

__global__ void softmax(const float *x, float *y, int rows, int cols)
{
    __shared__ float s[BLOCK_SIZE];
    const float *in = x + blockIdx.x * cols;
    float *out = y + blockIdx.x * cols;
    int tid = threadIdx.x;
    float largest = -INFINITY, sum = 0.0f;
    for (int c = tid; c < cols; c += BLOCK_SIZE)
        largest = fmaxf(largest, in[c]);
    for (int d = 16; d > 0; d /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, d));
    for (int c = tid; c < cols; c += BLOCK_SIZE)
        sum += __expf(in[c] - largest);
    s[tid] = sum;
    __syncthreads();
    for (int half = BLOCK_SIZE / 2; half > 0; half /= 2) {
        if (tid < half)
            s[tid] += s[tid + half];
        __syncthreads();
    }
    for (int c = tid; c < cols; c += BLOCK_SIZE)
        out[c] = __expf(in[c] - largest) / s[0];
}
