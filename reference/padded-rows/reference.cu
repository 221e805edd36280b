// The product of two floats is exact in double (24 + 24 bits <= 53): rounding it once to float
// gives the one right answer. The padding stays as it came.
__global__ void reference(double *a, const float *s, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int pitch = (width + 31) / 32 * 32;
    a[y * pitch + x] = (double)s[y] * a[y * pitch + x];
}
