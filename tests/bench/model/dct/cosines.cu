// The cosine transform of an image's squares of 8 x 8 as the formula has it: a thread a coefficient, which
// adds up 64 products and takes each cosine when it needs it.
__global__ void transform(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int u = x % 8, v = y % 8, left = x - u, top = y - v;
    float sum = 0.0f;
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            sum += in[(top + row) * n + left + column] *
                   cosf((2 * column + 1) * u * 3.14159265f / 16) *
                   cosf((2 * row + 1) * v * 3.14159265f / 16);
    float scale = (u ? 0.5f : 0.35355339f) * (v ? 0.5f : 0.35355339f);
    out[y * n + x] = scale * sum;
}
