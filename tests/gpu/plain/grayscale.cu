// warpgrade: grayscale
// A thread a pixel.
__global__ void grayscale(const unsigned char *rgb, unsigned char *gray, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int pixel = y * width + x;
    const unsigned char *p = rgb + 3 * pixel;
    gray[pixel] = (54 * p[0] + 183 * p[1] + 19 * p[2] + 128) / 256;
}
