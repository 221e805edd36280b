// Sixteen elements a thread, four 16-byte loads and four 16-byte stores of them, without shared
// memory: a thread turns a square of 4 x 4 in its registers. A warp has 4 such squares side by side
// and 8 below one another, so that it loads 64 bytes of each of 8 rows at once, two whole sectors,
// and stores 128 bytes, a whole line, of each of 4 rows of the output. The 8 warps of a block have
// 64 x 64 elements together. Where rows do not start at multiples of 16 bytes, the same squares are
// moved element by element.
__device__ static void transpose_by_elements(const float *in, float *out, int width, int height,
                                             int x, int y)
{
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            if (x + i < width && y + j < height)
                out[(size_t)(x + i) * height + y + j] = in[(size_t)(y + j) * width + x + i];
}

__global__ void __launch_bounds__(256)
    transpose(const float *__restrict__ in, float *__restrict__ out, int width, int height)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int x = blockIdx.x * 64 + warp % 4 * 16 + lane / 8 * 4;
    int y = blockIdx.y * 64 + warp / 4 * 32 + lane % 8 * 4;
    if (width % 4 || height % 4) {
        transpose_by_elements(in, out, width, height, x, y);
        return;
    }
    if (x >= width || y >= height)
        return;
    const float *from = in + (size_t)y * width + x;
    float *to = out + (size_t)x * height + y;
    float4 a = *reinterpret_cast<const float4 *>(from);
    float4 b = *reinterpret_cast<const float4 *>(from + (size_t)width);
    float4 c = *reinterpret_cast<const float4 *>(from + (size_t)width * 2);
    float4 d = *reinterpret_cast<const float4 *>(from + (size_t)width * 3);
    *reinterpret_cast<float4 *>(to) = make_float4(a.x, b.x, c.x, d.x);
    *reinterpret_cast<float4 *>(to + (size_t)height) = make_float4(a.y, b.y, c.y, d.y);
    *reinterpret_cast<float4 *>(to + (size_t)height * 2) = make_float4(a.z, b.z, c.z, d.z);
    *reinterpret_cast<float4 *>(to + (size_t)height * 3) = make_float4(a.w, b.w, c.w, d.w);
}
