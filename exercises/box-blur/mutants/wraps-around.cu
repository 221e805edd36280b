// In memory the pixel after the last of a row is the first of the next.
__global__ void box_blur(const float *in, float *out, int width, int height, int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    int count = 0;
    for (int v = y - radius; v <= y + radius; v++) {
        for (int u = x - radius; u <= x + radius; u++) {
            if (v * width + u >= 0 && v * width + u < width * height) {
                sum += in[v * width + u];
                count++;
            }
        }
    }
    out[y * width + x] = sum / count;
}
