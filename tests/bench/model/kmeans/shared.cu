// As columns, but the centroids are copied to shared memory first, and the point is kept in registers.
__global__ void assign(const float *points, const float *centroids, int *labels, int n, int k)
{
    extern __shared__ float centroid[];
    for (int j = threadIdx.x; j < k * 8; j += blockDim.x)
        centroid[j] = centroids[j];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float point[8];
    for (int d = 0; d < 8; d++)
        point[d] = points[d * n + i];
    float nearest = 1e30f;
    int label = 0;
    for (int c = 0; c < k; c++) {
        float distance = 0.0f;
        for (int d = 0; d < 8; d++) {
            float difference = point[d] - centroid[c * 8 + d];
            distance += difference * difference;
        }
        if (distance < nearest) {
            nearest = distance;
            label = c;
        }
    }
    labels[i] = label;
}
