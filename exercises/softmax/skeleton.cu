// warpgrade: softmax
//
// y[r][c] = exp(x[r][c] - m) / s for each row r of a matrix of rows x cols, stored row by row: m is
// the maximum of the row, s the sum of exp(x[r][k] - m) over all its columns k.
// Launched as softmax<<<rows, BLOCK_SIZE>>>(x, y, rows, cols): one block a row.
//
// You may change BLOCK_SIZE to any power of two from 32 to 1024; the launch follows it.
// Grade it with `warpgrade grade softmax.cu`.

#define BLOCK_SIZE 256

__global__ void softmax(const float *x, float *y, int rows, int cols)
{
    // Step 1: the largest of this thread's columns. What does a thread without a column have?

    // Step 2: the largest of the block, known to all its threads.

    // Step 3: the sum of this thread's exponentials, and of the block's. May shared memory be used
    // again?

    // Step 4: store the quotients.
}
