// The nearest number is not the one that the statement asks for.
__global__ void fade(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (x < width)
        out[y * width + x] = (int)rintf(in[y * width + x] * (float)(height - y) / height);
}
