// One thread a row, in double; the last parameter receives the sum of the products' magnitudes,
// which bounds the rounding errors of a sum in float in any order.
__global__ void reference(const float *A, const float *x, double *y, int rows, int cols,
                          double *y_magnitude)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    double sum = 0, magnitude = 0;
    for (int col = 0; col < cols; col++) {
        double product = (double)A[(size_t)col * rows + row] * (double)x[col];
        sum += product;
        magnitude += fabs(product);
    }
    y[row] = sum;
    y_magnitude[row] = magnitude;
}
