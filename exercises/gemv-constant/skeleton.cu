// warpgrade: gemv-constant
//
// y = A * x for a matrix of `rows` rows and `cols` columns, stored column by column:
// element (row, col) is A[col * rows + row]. The vector is no parameter: the host program copies its
// `cols` elements, at most 16384, into a __constant__ array called x. cols may be 0.
// Launched with one thread for each row:
//     cudaMemcpyToSymbol(x, host_x, cols * sizeof(float));
//     gemv<<<(rows + 255) / 256, 256>>>(A, y, rows, cols);
//
// Grade it with `warpgrade grade gemv-constant.cu`.

// Step 1: declare the array x in constant memory, with room for the longest vector.

__global__ void gemv(const float *A, float *y, int rows, int cols)
{
    // Step 2: which row is this thread's, and is there such a row?

    // Step 3: add up the products of this row, in a variable of this thread.

    // Step 4: store the sum.
}
