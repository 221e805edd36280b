// Column-major, each lane loads a number of the vector and hands it to its warp.
__global__ void gemv(const float *a, const float *x, float *y, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int mine = min(row, rows - 1);
    float sum = 0.0f;
    for (int first = 0; first < columns; first += 32) {
        float own = first + lane < columns ? x[first + lane] : 0.0f;
        if (first + 32 <= columns) {
#pragma unroll
            for (int i = 0; i < 32; i++)
                sum += a[(size_t)(first + i) * rows + mine] * __shfl_sync(0xffffffff, own, i);
        } else {
            for (int i = 0; first + i < columns; i++)
                sum += a[(size_t)(first + i) * rows + mine] * __shfl_sync(0xffffffff, own, i);
        }
    }
    if (row < rows)
        y[row] = sum;
}
