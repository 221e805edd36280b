// warpgrade: saxpy
//
// y[i] = alpha * x[i] + y[i] for every i from 0 to n - 1.
// Launched as saxpy<<<(n + 255) / 256, 256>>>(n, alpha, x, y): one thread an element, in whole
// blocks of 256 threads.
//
// Grade it with `warpgrade grade saxpy.cu`.

__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    // Step 1: which element is this thread's?

    // Step 2: leave where there is no such element.

    // Step 3: scale x, add the y that is there, and store the result where y was.
}
