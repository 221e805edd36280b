// As plain, but a thread takes sine and cosine at once, and asks once whether it needs the edge's care.
__device__ float pixel(const float *in, int n, int x, int y)
{
    return x >= 0 && x < n && y >= 0 && y < n ? in[y * n + x] : 0.0f;
}

__global__ void turn(const float *in, float *out, int n, float angle)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float sine, cosine, middle = 0.5f * (n - 1), right = x - middle, down = y - middle;
    __sincosf(angle, &sine, &cosine);
    float from_x = cosine * right + sine * down + middle, from_y = cosine * down - sine * right + middle;
    int left = (int)floorf(from_x), top = (int)floorf(from_y);
    float a = from_x - left, b = from_y - top, upper, lower;
    if (left >= 0 && left < n - 1 && top >= 0 && top < n - 1) {
        const float *four = in + top * n + left;
        upper = four[0] + a * (four[1] - four[0]);
        lower = four[n] + a * (four[n + 1] - four[n]);
    } else {
        upper = (1.0f - a) * pixel(in, n, left, top) + a * pixel(in, n, left + 1, top);
        lower = (1.0f - a) * pixel(in, n, left, top + 1) + a * pixel(in, n, left + 1, top + 1);
    }
    out[y * n + x] = upper + b * (lower - upper);
}
