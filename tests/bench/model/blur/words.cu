// Four pixels a thread: words in place of bytes; width is a multiple of 4, borders wrap to zero.
__device__ static unsigned word(const unsigned *in, int x, int y, int words, int height)
{
    return x >= 0 && x < words && y >= 0 && y < height ? in[y * words + x] : 0;
}

__global__ void blur(const unsigned *in, unsigned *out, int width, int height)
{
    int words = width / 4;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= words || y >= height)
        return;
    int sums[6] = {};
    for (int v = y - 1; v <= y + 1; v++) {
        unsigned left = word(in, x - 1, v, words, height), middle = word(in, x, v, words, height);
        unsigned right = word(in, x + 1, v, words, height);
        sums[0] += left >> 24;
        for (int j = 0; j < 4; j++)
            sums[j + 1] += middle >> 8 * j & 255;
        sums[5] += right & 255;
    }
    int rows = 1 + (y > 0) + (y < height - 1);
    unsigned result = 0;
    for (int j = 0; j < 4; j++) {
        int pixel = 4 * x + j, columns = 1 + (pixel > 0) + (pixel < width - 1);
        result |= (unsigned)((sums[j] + sums[j + 1] + sums[j + 2]) / (rows * columns)) << 8 * j;
    }
    out[y * words + x] = result;
}
