// A thread a pixel, in double; the last parameter receives the sum of the products' magnitudes,
// which bounds the rounding errors of a sum in float in any order.
__constant__ float FILTER[5][5] = {
    {0.25f, -0.50f, 1.00f, 0.75f, -1.25f},
    {1.50f, -2.00f, 3.00f, -0.25f, 0.50f},
    {-0.75f, 4.00f, 8.00f, -3.00f, 1.25f},
    {2.00f, 0.50f, -1.50f, 2.50f, -0.50f},
    {-1.00f, 1.75f, 0.25f, -2.50f, 0.75f},
};

__global__ void reference(const float *in, double *out, int width, int height,
                          double *out_magnitude)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    double sum = 0, magnitude = 0;
    for (int j = 0; j < 5; j++) {
        for (int i = 0; i < 5; i++) {
            int u = x + i - 2, v = y + j - 2;
            if (u >= 0 && u < width && v >= 0 && v < height) {
                double product = (double)FILTER[j][i] * (double)in[v * width + u];
                sum += product;
                magnitude += fabs(product);
            }
        }
    }
    out[y * width + x] = sum;
    out_magnitude[y * width + x] = magnitude;
}
