// As plain, but the corrections are made once, for the many weights that a thread has.
__global__ void update(float *weights, float *means, float *squares, const float *slopes, int n, int step)
{
    float mean_scale = 1.0f / (1.0f - powf(0.9f, (float)step));
    float square_scale = 1.0f / (1.0f - powf(0.999f, (float)step));
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float slope = slopes[i];
        float mean = 0.9f * means[i] + 0.1f * slope;
        float square = 0.999f * fabsf(squares[i]) + 0.001f * slope * slope;
        means[i] = mean;
        squares[i] = square;
        weights[i] -= 0.001f * mean * mean_scale / (sqrtf(square * square_scale) + 1e-8f);
    }
}
