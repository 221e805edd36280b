// warpgrade: padded-rows
// A thread an element.
__global__ void scale_rows(float *a, const float *s, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int pitch = (width + 31) / 32 * 32;
    a[y * pitch + x] *= s[y];
}
