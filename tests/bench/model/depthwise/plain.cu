// Each plane of 112 times 112 numbers is folded with a filter of its own of 3 times 3; beyond the edges is
// nothing. A thread a number.
__global__ void fold(const float *in, const float *filters, float *out, int planes)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int plane = blockIdx.z;
    if (x >= 112 || y >= 112)
        return;
    float total = 0.0f;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (x + dx >= 0 && x + dx < 112 && y + dy >= 0 && y + dy < 112)
                total += filters[plane * 9 + (dy + 1) * 3 + dx + 1] *
                         in[(size_t)plane * 12544 + (y + dy) * 112 + x + dx];
    out[(size_t)plane * 12544 + y * 112 + x] = total;
}
