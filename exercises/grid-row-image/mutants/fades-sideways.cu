// x and y, width and height.
__global__ void fade(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (x < width) {
        int factor = 256 * (width - x) / width;
        out[y * width + x] = in[y * width + x] * factor / 256;
    }
}
