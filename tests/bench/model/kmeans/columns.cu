// As records, but the points' first numbers stand side by side, then their second ones, and so on.
__global__ void assign(const float *points, const float *centroids, int *labels, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float nearest = 1e30f;
    int label = 0;
    for (int c = 0; c < k; c++) {
        float distance = 0.0f;
        for (int d = 0; d < 8; d++) {
            float difference = points[d * n + i] - centroids[c * 8 + d];
            distance += difference * difference;
        }
        if (distance < nearest) {
            nearest = distance;
            label = c;
        }
    }
    labels[i] = label;
}
