// As columns_in_registers, but a lane has a row, which it reads and writes sixteen bytes at a time.
__global__ void factor(const float *in, float *out)
{
    int lane = threadIdx.x % 32;
    size_t begin = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 32;
    float a[32];
#pragma unroll
    for (int i = 0; i < 32; i += 4) {
        float4 four = *(const float4 *)&in[begin + i];
        a[i] = four.x;
        a[i + 1] = four.y;
        a[i + 2] = four.z;
        a[i + 3] = four.w;
    }
#pragma unroll
    for (int i = 0; i < 32; i++)
        a[i] += i == lane ? 32.0f : 0.0f;
#pragma unroll
    for (int k = 0; k < 31; k++) {
        float pivot = __shfl_sync(0xffffffffu, a[k], k), ratio = lane > k ? a[k] / pivot : 0.0f;
        a[k] = lane > k ? ratio : a[k];
#pragma unroll
        for (int i = k + 1; i < 32; i++)
            a[i] -= ratio * __shfl_sync(0xffffffffu, a[i], k);
    }
#pragma unroll
    for (int i = 0; i < 32; i += 4)
        *(float4 *)&out[begin + i] = make_float4(a[i], a[i + 1], a[i + 2], a[i + 3]);
}
