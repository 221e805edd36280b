// warpgrade: matmul-naive
//
// P = M * N for square matrices of `width` rows, stored row by row. width is any number from 1 on.
// Launched with blocks of 16 x 16 threads, as many as cover P:
//     int blocks = (width + 15) / 16;
//     matmul<<<dim3(blocks, blocks), dim3(16, 16)>>>(M, N, P, width);
//
// Grade it with `warpgrade grade matmul-naive.cu`.

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    // Step 1: which row and which column of P are this thread's? Both have a block and a thread part.

    // Step 2: does P have such an element?

    // Step 3: add up `width` products, in a variable of this thread.

    // Step 4: store the sum.
}
