// Turns an image about its middle, with what lies between four pixels: a thread a pixel of the result, which
// takes the angle's sine and cosine itself. Outside the image all is black.
__device__ float pixel(const float *in, int n, int x, int y)
{
    return x >= 0 && x < n && y >= 0 && y < n ? in[y * n + x] : 0.0f;
}

__global__ void turn(const float *in, float *out, int n, float angle)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float right = x - 0.5f * (n - 1), down = y - 0.5f * (n - 1);
    float from_x = cosf(angle) * right + sinf(angle) * down + 0.5f * (n - 1);
    float from_y = cosf(angle) * down - sinf(angle) * right + 0.5f * (n - 1);
    int left = (int)floorf(from_x), top = (int)floorf(from_y);
    float a = from_x - left, b = from_y - top;
    out[y * n + x] = (1.0f - b) * ((1.0f - a) * pixel(in, n, left, top) + a * pixel(in, n, left + 1, top)) +
                     b * ((1.0f - a) * pixel(in, n, left, top + 1) + a * pixel(in, n, left + 1, top + 1));
}
