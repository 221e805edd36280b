// Two 16-byte loads in flight a thread, each with the neighbouring thread's beside it: a warp reads
// 512 bytes in a row with one instruction. The last block goes element by element.
__device__ static float from(float fahrenheit)
{
    return (fahrenheit - 32.0f) * (5.0f / 9.0f);
}

__device__ static float4 from(float4 v)
{
    return make_float4(from(v.x), from(v.y), from(v.z), from(v.w));
}

__global__ void convert(const float *__restrict__ fahrenheit, float *__restrict__ celsius, int n)
{
    int base = blockIdx.x * 2048;
    int first = base + 4 * threadIdx.x, second = first + 1024;
    if (base + 2048 <= n) {
        float4 a = *reinterpret_cast<const float4 *>(fahrenheit + first);
        float4 b = *reinterpret_cast<const float4 *>(fahrenheit + second);
        *reinterpret_cast<float4 *>(celsius + first) = from(a);
        *reinterpret_cast<float4 *>(celsius + second) = from(b);
    } else {
        for (int i = base + threadIdx.x; i < n; i += 256)
            celsius[i] = from(fahrenheit[i]);
    }
}
