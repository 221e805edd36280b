// warpgrade: gemv-open
//
// y = A * x for a matrix of `rows` rows and `cols` columns, stored row by row:
// element (row, col) is A[row * cols + col]. cols may be 0.
// Launched as you want it:
//     gemv<<<(rows + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK, THREADS>>>(A, x, y, rows, cols);
//
// You may change ROWS_PER_BLOCK (1 to 1024) and THREADS (32 to 1024).
// Grade it with `warpgrade grade gemv-open.cu`.

#define ROWS_PER_BLOCK 8
#define THREADS        256

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    // Step 1: which row is this thread's, and which elements of it? Neighbours read neighbours.

    // Step 2: add up the products of these elements. Start several loads before you use the first.

    // Step 3: join the sums of all threads of the row.

    // Step 4: one of them stores the sum, where there is such a row.
}
