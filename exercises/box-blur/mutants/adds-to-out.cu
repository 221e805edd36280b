// The output holds nothing yet.
__global__ void box_blur(const float *in, float *out, int width, int height, int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int count = 0;
    for (int v = y - radius; v <= y + radius; v++) {
        for (int u = x - radius; u <= x + radius; u++) {
            if (v >= 0 && v < height && u >= 0 && u < width) {
                out[y * width + x] += in[v * width + u];
                count++;
            }
        }
    }
    out[y * width + x] /= count;
}
