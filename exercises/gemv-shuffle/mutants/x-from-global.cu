// Right, but this is gemv-coalesced: nothing is handed round.
__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int i = 0; i < cols; i++)
        sum += A[(size_t)i * rows + row] * x[i];
    y[row] = sum;
}
