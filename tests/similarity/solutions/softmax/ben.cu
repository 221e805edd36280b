// warpgrade: softmax
#define BLOCK_SIZE 128
#define NEG -3.4e38f
__device__ float warpMax(float v)
{
    for (int o = 16; o; o >>= 1) v = fmaxf(v, __shfl_xor_sync(~0u, v, o));
    return v;
}
__device__ float warpSum(float v)
{
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
    return v;
}
__global__ void softmax(const float *x, float *y, int rows, int cols)
{
    __shared__ float big[BLOCK_SIZE / 32], tot[BLOCK_SIZE / 32];
    x += (size_t)blockIdx.x * cols;
    y += (size_t)blockIdx.x * cols;
    float top = NEG;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) top = fmaxf(top, x[i]);
    top = warpMax(top);
    if (threadIdx.x % 32 == 0) big[threadIdx.x / 32] = top;
    __syncthreads();
    top = big[0];
    for (int w = 1; w < BLOCK_SIZE / 32; w++) top = fmaxf(top, big[w]);
    float z = 0;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) z += __expf(x[i] - top);
    z = warpSum(z);
    if (threadIdx.x % 32 == 0) tot[threadIdx.x / 32] = z;
    __syncthreads();
    z = 0;
    for (int w = 0; w < BLOCK_SIZE / 32; w++) z += tot[w];
    float inv = 1.0f / z;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) y[i] = __expf(x[i] - top) * inv;
}
