// 16-byte loads, four a thread, shuffles; n is a multiple of 4096.
__global__ void reduce(const float4 *in, float *out, int n)
{
    __shared__ float sums[8];
    int tid = threadIdx.x, first = blockIdx.x * 1024 + tid;
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        float4 v = in[first + j * 256];
        sum += v.x + v.y + v.z + v.w;
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (tid % 32 == 0)
        sums[tid / 32] = sum;
    __syncthreads();
    if (tid == 0) {
        for (int j = 1; j < 8; j++)
            sum += sums[j];
        out[blockIdx.x] = sum;
    }
}
