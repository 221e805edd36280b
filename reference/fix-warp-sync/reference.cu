// A warp a row, in double; the lanes' sums are joined through registers. The last parameter receives
// the sum of |matrix[r][c]|.
__global__ void reference(const float *matrix, double *sums, int rows, int columns,
                          double *sums_magnitude)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    double sum = 0, magnitude = 0;
    for (int c = lane; c < columns; c += 32) {
        sum += matrix[(size_t)row * columns + c];
        magnitude += fabs((double)matrix[(size_t)row * columns + c]);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, distance);
        magnitude += __shfl_xor_sync(0xffffffff, magnitude, distance);
    }
    if (lane == 0) {
        sums[row] = sum;
        sums_magnitude[row] = magnitude;
    }
}
