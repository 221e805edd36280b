// warpgrade: gemv-shared
//
// y = A * x for a matrix of `rows` rows and `cols` columns, stored column by column:
// element (row, col) is A[col * rows + row]. cols may be 0.
// Launched with one thread for each row:
//     gemv<<<(rows + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(A, x, y, rows, cols);
//
// You may change BLOCK_SIZE to any power of two from 32 to 1024; the launch follows it.
// Grade it with `warpgrade grade gemv-shared.cu`.

#define BLOCK_SIZE 256

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    // Step 1: declare an array of BLOCK_SIZE floats that the block shares.

    // Step 2: which row is this thread's? What is left to do for a thread without a row?

    // Step 3: for each piece of x, the partial last one included:
    //   - load one element of the piece;
    //   - wait for the others;
    //   - add the products with the columns of this piece;
    //   - wait again, before the piece is overwritten.

    // Step 4: store the sum, where there is such a row.
}
