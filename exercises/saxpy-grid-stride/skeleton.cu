// warpgrade: saxpy-grid-stride
//
// y[i] = alpha * x[i] + y[i] for every i from 0 to n - 1.
// Launched as saxpy<<<BLOCKS, 256>>>(n, alpha, x, y), whatever n is: there may be more elements
// than threads.
//
// You may change BLOCKS to any number from 1 to 1024; the launch follows it.
// Grade it with `warpgrade grade saxpy-grid-stride.cu`.

#define BLOCKS 64

__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    // Step 1: this thread's first element, and the number of threads in the grid.

    // Step 2: from the first element, in steps of this number, while there is an element:
    //         scale x, add the y that is there, and store the result where y was.
}
