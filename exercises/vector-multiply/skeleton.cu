// warpgrade: vector-multiply
//
// a[i] = b[i] * c[i] for every i from 0 to n - 1.
// Launched as vector_multiply<<<(n + 255) / 256, 256>>>(a, b, c, n): one thread an element, in
// whole blocks of 256 threads.
//
// Grade it with `warpgrade grade vector-multiply.cu`.

__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    // Step 1: which element is this thread's? Combine blockIdx.x, blockDim.x and threadIdx.x.

    // Step 2: does this element exist? The last block may reach past the end.

    // Step 3: read two numbers, write one.
}
