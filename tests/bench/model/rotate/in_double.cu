// As plain, but the angle is in double, and so is all that is counted from it: the numbers in the source have
// no f after them.
__device__ float pixel(const float *in, int n, int x, int y)
{
    return x >= 0 && x < n && y >= 0 && y < n ? in[y * n + x] : 0.0;
}

__global__ void turn(const float *in, float *out, int n, double angle)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    double right = x - 0.5 * (n - 1), down = y - 0.5 * (n - 1);
    double from_x = cos(angle) * right + sin(angle) * down + 0.5 * (n - 1);
    double from_y = cos(angle) * down - sin(angle) * right + 0.5 * (n - 1);
    int left = (int)floor(from_x), top = (int)floor(from_y);
    double a = from_x - left, b = from_y - top;
    out[y * n + x] = (1.0 - b) * ((1.0 - a) * pixel(in, n, left, top) + a * pixel(in, n, left + 1, top)) +
                     b * ((1.0 - a) * pixel(in, n, left, top + 1) + a * pixel(in, n, left + 1, top + 1));
}
