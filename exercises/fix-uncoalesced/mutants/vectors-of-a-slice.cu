// Right: each thread reads its slice with two wide loads, of which each fetches twice what it needs.
#define ELEMENTS 8

__device__ static float from(float fahrenheit)
{
    return (fahrenheit - 32.0f) * (5.0f / 9.0f);
}

__global__ void convert(const float *fahrenheit, float *celsius, int n)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * ELEMENTS;
    for (int k = 0; k < ELEMENTS; k += 4) {
        int i = first + k;
        if (i + 3 < n) {
            float4 v = *reinterpret_cast<const float4 *>(fahrenheit + i);
            *reinterpret_cast<float4 *>(celsius + i) =
                make_float4(from(v.x), from(v.y), from(v.z), from(v.w));
        } else {
            for (; i < n && i < first + k + 4; i++)
                celsius[i] = from(fahrenheit[i]);
        }
    }
}
