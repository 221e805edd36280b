// warpgrade: fix-uninitialized-shared
//
// largest[b] is the largest of the 256 elements x[256 * b] to x[256 * b + 255]; the last block may
// have fewer. n is at least 1.
// Launched as block_maxima<<<(n + 255) / 256, 256>>>(x, largest, n).
//
// This kernel has one mistake. Find it with `warpgrade grade fix-uninitialized-shared.cu`, and mend
// it.

#define BLOCK_SIZE 256

__global__ void block_maxima(const int *x, int *largest, int n)
{
    __shared__ int s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK_SIZE + tid;
    if (i < n)
        s[tid] = x[i];
    __syncthreads();
    for (int half = BLOCK_SIZE / 2; half > 0; half /= 2) {
        if (tid < half)
            s[tid] = max(s[tid], s[tid + half]);
        __syncthreads();
    }
    if (tid == 0)
        largest[blockIdx.x] = s[0];
}
