// warpgrade: softmax
#define BLOCK_SIZE 256
__global__ void softmax(const float *x, float *y, int rows, int cols)
{
    __shared__ float s[BLOCK_SIZE];
    int row = blockIdx.x, tid = threadIdx.x;
    const float *in = x + row * cols;
    float *out = y + row * cols;
    float m = -INFINITY;
    for (int c = tid; c < cols; c += BLOCK_SIZE)
        m = fmaxf(m, in[c]);
    s[tid] = m;
    __syncthreads();
    for (int h = BLOCK_SIZE / 2; h > 0; h /= 2) {
        if (tid < h)
            s[tid] = fmaxf(s[tid], s[tid + h]);
        __syncthreads();
    }
    m = s[0];
    __syncthreads();
    float sum = 0;
    for (int c = tid; c < cols; c += BLOCK_SIZE)
        sum += expf(in[c] - m);
    s[tid] = sum;
    __syncthreads();
    for (int h = BLOCK_SIZE / 2; h > 0; h /= 2) {
        if (tid < h)
            s[tid] += s[tid + h];
        __syncthreads();
    }
    sum = s[0];
    for (int c = tid; c < cols; c += BLOCK_SIZE)
        out[c] = expf(in[c] - m) / sum;
}
