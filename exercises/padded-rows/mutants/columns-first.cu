// The 256 threads of a block walk down its columns: eight rows at a time, so that a warp touches
// four elements in each of eight rows.
__global__ void scale_rows(float *a, const float *s, int width, int height)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int x = blockIdx.x * blockDim.x + t / blockDim.y;
    int y = blockIdx.y * blockDim.y + t % blockDim.y;
    if (x >= width || y >= height)
        return;
    int pitch = (width + 31) / 32 * 32;
    a[y * pitch + x] = s[y] * a[y * pitch + x];
}
