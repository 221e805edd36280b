// As plain, but a thread finds its plane, row and column from one number.
__global__ void fold(const float *in, const float *filters, float *out, int planes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * 12544)
        return;
    int x = i % 112, y = i / 112 % 112, plane = i / 12544;
    float total = 0.0f;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (x + dx >= 0 && x + dx < 112 && y + dy >= 0 && y + dy < 112)
                total += filters[plane * 9 + (dy + 1) * 3 + dx + 1] * in[i + dy * 112 + dx];
    out[i] = total;
}
