// Right, but the rows of a warp are not neighbours: each thread reads a place of its own.
__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int row = threadIdx.x * gridDim.x + blockIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int col = 0; col < cols; col++)
        sum += A[(size_t)col * rows + row] * x[col];
    y[row] = sum;
}
