// A step of Adam: each weight's mean slope and mean square go on, and the weight moves by their ratio; a
// thread a weight, which corrects for the first steps by itself. The squares' fill has signs: they are
// taken away.
__global__ void update(float *weights, float *means, float *squares, const float *slopes, int n, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float slope = slopes[i];
    means[i] = 0.9f * means[i] + 0.1f * slope;
    squares[i] = 0.999f * fabsf(squares[i]) + 0.001f * slope * slope;
    float mean = means[i] / (1.0f - powf(0.9f, (float)step));
    float square = squares[i] / (1.0f - powf(0.999f, (float)step));
    weights[i] -= 0.001f * mean / (sqrtf(square) + 1e-8f);
}
