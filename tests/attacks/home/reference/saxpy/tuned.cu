// Four elements a thread with 16-byte accesses; the last n % 4 elements go one by one.
__global__ void saxpy(int n, float alpha, const float *__restrict__ x, float *__restrict__ y)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (first + 3 < n) {
        float4 a = *reinterpret_cast<const float4 *>(x + first);
        float4 b = *reinterpret_cast<float4 *>(y + first);
        *reinterpret_cast<float4 *>(y + first) =
            make_float4(fmaf(alpha, a.x, b.x), fmaf(alpha, a.y, b.y), fmaf(alpha, a.z, b.z),
                        fmaf(alpha, a.w, b.w));
    } else {
        for (int i = first; i < n; i++)
            y[i] = fmaf(alpha, x[i], y[i]);
    }
}
