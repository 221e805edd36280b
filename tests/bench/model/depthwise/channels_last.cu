// As plain, but pictures have 64 channels, and a pixel's stand side by side, as do the filters' numbers: a
// thread a channel of a pixel.
__global__ void fold(const float *in, const float *filters, float *out, int planes)
{
    int channel = threadIdx.x, x = blockIdx.x * blockDim.y + threadIdx.y, y = blockIdx.y;
    const float *from = in + (size_t)blockIdx.z * 12544 * 64 + channel;
    const float *filter = filters + blockIdx.z * 576 + channel;
    float total = 0.0f;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (x + dx >= 0 && x + dx < 112 && y + dy >= 0 && y + dy < 112)
                total += filter[((dy + 1) * 3 + dx + 1) * 64] * from[((y + dy) * 112 + x + dx) * 64];
    out[((size_t)blockIdx.z * 12544 + y * 112 + x) * 64 + channel] = total;
}
