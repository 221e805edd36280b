// A thread a row of a row-major matrix: neighbouring lanes read a row's length apart.
__global__ void gemv(const float *a, const float *x, float *y, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int j = 0; j < columns; j++)
        sum += a[(size_t)row * columns + j] * x[j];
    y[row] = sum;
}
