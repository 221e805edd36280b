// warpgrade: gemv-shuffle
//
// y = A * x for a matrix of `rows` rows and `cols` columns, stored column by column:
// element (row, col) is A[col * rows + row]. cols may be 0.
// Launched with one thread for each row:
//     gemv<<<(rows + 255) / 256, 256>>>(A, x, y, rows, cols);
//
// Grade it with `warpgrade grade gemv-shuffle.cu`.

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    // Step 1: which row is this thread's, and which lane of its warp is it?

    // Step 2: for each piece of 32 elements of x, the partial last one included:
    //   - load one element into a variable of this thread;
    //   - for each element of the piece: get it from its lane with __shfl_sync(0xffffffff, ..., ...),
    //     and add its product with the element of A to the sum.
    // Which of this must a thread without a row do all the same?

    // Step 3: store the sum, where there is such a row.
}
