// The lower half of a square matrix, its diagonal included, times a vector: a thread a row, which is as
// long as its number.
__global__ void multiply(const float *matrix, const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0.0f;
    for (int column = 0; column <= row; column++)
        sum += matrix[(size_t)row * n + column] * x[column];
    y[row] = sum;
}
