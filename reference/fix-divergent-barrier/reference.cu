// A thread a block sum, in double; the last parameter receives the sum of |x[i]|.
__global__ void reference(const float *x, double *sums, int n, double *sums_magnitude)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= max(1, (n + 255) / 256))
        return;
    double sum = 0, magnitude = 0;
    for (int i = 256 * b; i < min(256 * b + 256, n); i++) {
        sum += x[i];
        magnitude += fabs((double)x[i]);
    }
    sums[b] = sum;
    sums_magnitude[b] = magnitude;
}
