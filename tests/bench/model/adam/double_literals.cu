// As plain, but its constants are of double precision, and so is what is made with them.
__global__ void update(float *weights, float *means, float *squares, const float *slopes, int n, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float slope = slopes[i];
    means[i] = 0.9 * means[i] + 0.1 * slope;
    squares[i] = 0.999 * fabsf(squares[i]) + 0.001 * slope * slope;
    float mean = means[i] / (1.0 - powf(0.9f, (float)step));
    float square = squares[i] / (1.0 - powf(0.999f, (float)step));
    weights[i] -= 0.001 * mean / (sqrtf(square) + 1e-8);
}
