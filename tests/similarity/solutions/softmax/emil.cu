// warpgrade: softmax
#define BLOCK_SIZE 128
#define KEEP 8
__global__ void softmax(const float *x, float *y, int rows, int cols)
{
    __shared__ float maxima[BLOCK_SIZE];
    __shared__ float sums[BLOCK_SIZE];
    float kept[KEEP];
    const long at = (long)blockIdx.x * cols;
    float high = -__int_as_float(0x7f800000);
    int used = 0;
    for (int k = threadIdx.x; k < cols; k += BLOCK_SIZE, used++) {
        float value = x[at + k];
#pragma unroll
        for (int u = 0; u < KEEP; u++)
            if (u == used) kept[u] = value;
        high = max(high, value);
    }
    maxima[threadIdx.x] = high;
    __syncthreads();
    // everyone looks at everything: no tree, one barrier
    for (int other = 0; other < BLOCK_SIZE; other++)
        high = max(high, maxima[other]);
    float part = 0;
    int seen = 0;
    for (int k = threadIdx.x; k < cols; k += BLOCK_SIZE, seen++) {
        float value = seen < KEEP ? kept[0] : x[at + k];
#pragma unroll
        for (int u = 1; u < KEEP; u++)
            if (u == seen) value = kept[u];
        part += expf(value - high);
    }
    sums[threadIdx.x] = part;
    __syncthreads();
    float whole = 0;
    for (int other = 0; other < BLOCK_SIZE; other++)
        whole += sums[other];
    for (int k = threadIdx.x; k < cols; k += BLOCK_SIZE)
        y[at + k] = expf(x[at + k] - high) / whole;
}
