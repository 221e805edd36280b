// warpgrade: gemv-global
//
// y = A * x for a matrix of `rows` rows and `cols` columns, stored row by row:
// element (row, col) is A[row * cols + col]. cols may be 0.
// Launched with one thread for each row:
//     gemv<<<(rows + 255) / 256, 256>>>(A, x, y, rows, cols);
//
// Grade it with `warpgrade grade gemv-global.cu`.

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    // Step 1: which row is this thread's, and is there such a row?

    // Step 2: add up the products of this row, in a variable of this thread.

    // Step 3: store the sum.
}
