// warpgrade: grid-row-image
// A thread a pixel.
__global__ void fade(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (x >= width)
        return;
    int factor = 256 * (height - y) / height;
    out[y * width + x] = in[y * width + x] * factor / 256;
}
