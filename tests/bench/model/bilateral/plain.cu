// Smooths an image and keeps its edges: each pixel becomes the mean of 5 x 5, weighted by how near they are in
// place and in brightness. A thread a pixel takes both exponentials when it needs them.
__global__ void smooth(const float *in, float *out, int n, float reach, float contrast)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float own = in[y * n + x], sum = 0.0f, weights = 0.0f;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int column = min(max(x + dx, 0), n - 1), row = min(max(y + dy, 0), n - 1);
            float value = in[row * n + column], difference = value - own;
            float weight = expf(-(dx * dx + dy * dy) / (2.0f * reach * reach)) *
                           expf(-difference * difference / (2.0f * contrast * contrast));
            sum += weight * value;
            weights += weight;
        }
    out[y * n + x] = sum / weights;
}
