// warpgrade: gemv-constant
// A thread a row, the vector in constant memory.
#define MAX_COLS 16384

__constant__ float x[MAX_COLS];

__global__ void gemv(const float *A, float *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int col = 0; col < cols; col++)
        sum += A[(size_t)col * rows + row] * x[col];
    y[row] = sum;
}
