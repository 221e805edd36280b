// warpgrade: gemv-coalesced
//
// y = A * x for a matrix of `rows` rows and `cols` columns, stored column by column:
// element (row, col) is A[col * rows + row]. cols may be 0.
// Launched with one thread for each row:
//     gemv<<<(rows + 255) / 256, 256>>>(A, x, y, rows, cols);
//
// Grade it with `warpgrade grade gemv-coalesced.cu`.

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    // Step 1: which row is this thread's, and is there such a row?

    // Step 2: add up the products of this row, in a variable of this thread. How far apart in memory
    // are two neighbours of a row?

    // Step 3: store the sum.
}
