// As plain, but one index tells plane, row and column, as libraries for any sizes have it.
__global__ void pool(const float *in, float *out, unsigned char *which, int planes, int height, int width,
                     int square)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, rows = height / square, columns = width / square;
    if (i >= planes * rows * columns)
        return;
    int x = i % columns, y = i / columns % rows, plane = i / columns / rows;
    float largest = -INFINITY;
    int best = 0;
    for (int dy = 0; dy < square; dy++)
        for (int dx = 0; dx < square; dx++) {
            float value = in[((size_t)plane * height + y * square + dy) * width + x * square + dx];
            if (value > largest) {
                largest = value;
                best = dy * square + dx;
            }
        }
    out[i] = largest;
    which[i] = best;
}
