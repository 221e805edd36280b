// One thread works and 191 watch.
__global__ void fade(const unsigned char *in, unsigned char *out, int width, int height)
{
    int y = blockIdx.y;
    int factor = 256 * (height - y) / height;
    if (threadIdx.x != 0)
        return;
    for (int j = 0; j < blockDim.x; j++) {
        int x = blockIdx.x * blockDim.x + j;
        if (x < width)
            out[y * width + x] = in[y * width + x] * factor / 256;
    }
}
