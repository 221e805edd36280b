// The largest of each square of 2 x 2, and which of the four it was, for planes of 128 x 128: a thread a square.
__global__ void pool(const float *in, float *out, unsigned char *which)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float *plane = in + (size_t)blockIdx.z * 16384;
    float largest = -INFINITY;
    int best = 0;
    for (int dy = 0; dy < 2; dy++)
        for (int dx = 0; dx < 2; dx++) {
            float value = plane[(2 * y + dy) * 128 + 2 * x + dx];
            if (value > largest) {
                largest = value;
                best = dy * 2 + dx;
            }
        }
    size_t at = (size_t)blockIdx.z * 4096 + y * 64 + x;
    out[at] = largest;
    which[at] = best;
}
