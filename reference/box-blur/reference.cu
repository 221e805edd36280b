// A thread a pixel, in double. The last parameter receives the mean of the magnitudes, which bounds
// the rounding errors of a sum in float in any order, divided by the number of its terms.
__global__ void reference(const float *in, double *out, int width, int height, int radius,
                          double *out_magnitude)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    double sum = 0, magnitude = 0;
    int count = 0;
    for (int v = max(y - radius, 0); v <= min(y + radius, height - 1); v++) {
        for (int u = max(x - radius, 0); u <= min(x + radius, width - 1); u++) {
            sum += in[v * width + u];
            magnitude += fabs((double)in[v * width + u]);
            count++;
        }
    }
    out[y * width + x] = sum / count;
    out_magnitude[y * width + x] = magnitude / count;
}
