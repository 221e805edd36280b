// A thread a row, in double; the last parameter receives the sum of |values[k] * x[columns[k]]|.
__global__ void reference(const int *row_offsets, const int *columns, const float *values,
                          const float *x, double *y, int rows, int width, int nonzeros,
                          double *y_magnitude)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    double sum = 0, magnitude = 0;
    for (int k = row_offsets[row]; k < row_offsets[row + 1]; k++) {
        double product = (double)values[k] * (double)x[columns[k]];
        sum += product;
        magnitude += fabs(product);
    }
    y[row] = sum;
    y_magnitude[row] = magnitude;
}
