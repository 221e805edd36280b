// As records, but a warp a point: each lane looks at every 32nd centroid, and shuffles find the nearest.
__global__ void assign(const float *points, const float *centroids, int *labels, int n, int k)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= n)
        return;
    float nearest = 1e30f;
    int label = 0;
    for (int c = lane; c < k; c += 32) {
        float distance = 0.0f;
        for (int d = 0; d < 8; d++) {
            float difference = points[i * 8 + d] - centroids[c * 8 + d];
            distance += difference * difference;
        }
        if (distance < nearest) {
            nearest = distance;
            label = c;
        }
    }
    for (int step = 16; step > 0; step /= 2) {
        float other = __shfl_down_sync(0xffffffffu, nearest, step);
        int other_label = __shfl_down_sync(0xffffffffu, label, step);
        if (other < nearest || (other == nearest && other_label < label)) {
            nearest = other;
            label = other_label;
        }
    }
    if (lane == 0)
        labels[i] = label;
}
