// A lane that has left cannot participate, nor can others read what it holds.
__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int first = 0; first < cols; first += 32) {
        float own = first + lane < cols ? x[first + lane] : 0.0f;
        int count = min(32, cols - first);
        for (int i = 0; i < count; i++) {
            float factor = __shfl_sync(0xffffffff, own, i);
            if (row < rows)
                sum += A[(size_t)(first + i) * rows + row] * factor;
        }
    }
    if (row < rows)
        y[row] = sum;
}
