// The same bytes, in another order than they are.
__global__ void grayscale(const unsigned char *rgb, unsigned char *gray, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int pixel = y * width + x;
    int red = rgb[pixel], green = rgb[width * height + pixel],
        blue = rgb[2 * width * height + pixel];
    gray[pixel] = (54 * red + 183 * green + 19 * blue + 128) / 256;
}
