// Column-major, the vector in constant memory, which it fills at the large size.
__constant__ float vector[16384];

__global__ void gemv(const float *a, float *y, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int j = 0; j < columns; j++)
        sum += a[(size_t)j * rows + row] * vector[j];
    y[row] = sum;
}
