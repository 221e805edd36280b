// Eleven bits of precision where the type promises twenty-four.
#include <cuda_fp16.h>

__global__ void scale_rows(float *a, const float *s, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int pitch = (width + 31) / 32 * 32;
    a[y * pitch + x] = __half2float(__float2half(s[y]) * __float2half(a[y * pitch + x]));
}
