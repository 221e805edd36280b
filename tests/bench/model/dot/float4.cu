// 16-byte loads in a grid-stride loop; n is a multiple of 4.
#define BLOCK_SIZE 256

__global__ void dot(const float4 *a, const float4 *b, float *out, int n)
{
    __shared__ float sums[BLOCK_SIZE / 32];
    float sum = 0.0f;
    for (int k = blockIdx.x * BLOCK_SIZE + threadIdx.x; k < n / 4; k += gridDim.x * BLOCK_SIZE) {
        float4 x = a[k], y = b[k];
        sum += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < BLOCK_SIZE / 32; i++)
            sum += sums[i];
        atomicAdd(out, sum);
    }
}
