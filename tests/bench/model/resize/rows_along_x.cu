// As plain, but neighbouring threads of a warp have pixels below each other.
__global__ void resize(const uchar4 *in, uchar4 *out, int n)
{
    int m = n * 3 / 2;
    int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= m || y >= m)
        return;
    float from_x = fmaxf((x + 0.5f) / 1.5f - 0.5f, 0.0f), from_y = fmaxf((y + 0.5f) / 1.5f - 0.5f, 0.0f);
    int left = (int)from_x, top = (int)from_y;
    int right = min(left + 1, n - 1), below = min(top + 1, n - 1);
    float u = from_x - left, v = from_y - top;
    uchar4 a = in[top * n + left], b = in[top * n + right], c = in[below * n + left],
           d = in[below * n + right];
    uchar4 pixel;
    pixel.x = (1 - v) * ((1 - u) * a.x + u * b.x) + v * ((1 - u) * c.x + u * d.x) + 0.5f;
    pixel.y = (1 - v) * ((1 - u) * a.y + u * b.y) + v * ((1 - u) * c.y + u * d.y) + 0.5f;
    pixel.z = (1 - v) * ((1 - u) * a.z + u * b.z) + v * ((1 - u) * c.z + u * d.z) + 0.5f;
    pixel.w = (1 - v) * ((1 - u) * a.w + u * b.w) + v * ((1 - u) * c.w + u * d.w) + 0.5f;
    out[y * m + x] = pixel;
}
