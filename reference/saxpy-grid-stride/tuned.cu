// Four elements a step with 16-byte accesses, and enough blocks to fill a large GPU: 1024 blocks of
// 256 threads have 8 MB under way at once. The last n % 4 elements go one by one.
#define BLOCKS 1024

__global__ void saxpy(int n, float alpha, const float *__restrict__ x, float *__restrict__ y)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    const float4 *x4 = reinterpret_cast<const float4 *>(x);
    float4 *y4 = reinterpret_cast<float4 *>(y);
    for (int i = thread; i < n / 4; i += stride) {
        float4 a = x4[i], b = y4[i];
        y4[i] = make_float4(fmaf(alpha, a.x, b.x), fmaf(alpha, a.y, b.y), fmaf(alpha, a.z, b.z),
                            fmaf(alpha, a.w, b.w));
    }
    int rest = n / 4 * 4 + thread;
    if (rest < n)
        y[rest] = fmaf(alpha, x[rest], y[rest]);
}
