// Four pixels a thread, in a row whose length is no multiple of four: the last group hangs over.
__global__ void grayscale(const unsigned char *rgb, unsigned char *gray, int width, int height)
{
    int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    for (int pixel = y * width + x; pixel < y * width + x + 4; pixel++) {
        int red = rgb[3 * pixel], green = rgb[3 * pixel + 1], blue = rgb[3 * pixel + 2];
        gray[pixel] = (54 * red + 183 * green + 19 * blue + 128) / 256;
    }
}
