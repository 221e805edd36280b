// Every pixel has its thread, but not one in a block of its own row.
__global__ void fade(const unsigned char *in, unsigned char *out, int width, int height)
{
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (i < width * height) {
        int factor = 256 * (height - y) / height;
        out[i] = in[i] * factor / 256;
    }
}
