// Each pixel has its thread, but the pixels of a warp lie gridDim.x apart.
__global__ void fade(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = threadIdx.x * gridDim.x + blockIdx.x;
    int y = blockIdx.y;
    if (x < width) {
        int factor = 256 * (height - y) / height;
        out[y * width + x] = in[y * width + x] * factor / 256;
    }
}
