// A thread a row of a column-major matrix, the vector in constant memory.
__constant__ float x[8192] = {1.0f, 2.0f, 3.0f};

__global__ void gemv(const float *a, float *y, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int j = 0; j < columns; j++)
        sum += a[j * rows + row] * x[j];
    y[row] = sum;
}
