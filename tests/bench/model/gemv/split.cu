// Column-major, each row's sum split over gridDim.y blocks that join by atomics.
__global__ void gemv(const float *a, const float *x, float *y, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int share = columns / gridDim.y, first = blockIdx.y * share;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int j = first; j < first + share; j++)
        sum += a[(long long)j * rows + row] * x[j];
    atomicAdd(&y[row], sum);
}
