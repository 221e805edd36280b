// warpgrade: gemv-shuffle
// A thread a row, the vector in the registers of the warp.
__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float sum = 0.0f;
    for (int first = 0; first < cols; first += 32) {
        int count = min(32, cols - first);
        float mine = lane < count ? x[first + lane] : 0.0f;
        for (int k = 0; k < count; k++) {
            float element = __shfl_sync(0xffffffff, mine, k);
            if (row < rows)
                sum += A[(size_t)(first + k) * rows + row] * element;
        }
    }
    if (row < rows)
        y[row] = sum;
}
