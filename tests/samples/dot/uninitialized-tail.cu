// warpgrade: dot
// Wrong: the last block adds up elements of s that were never written.
#define BLOCK_SIZE 256

__global__ void dot(const float *a, const float *b, float *out, int n) {
    __shared__ float s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK_SIZE + tid;
    if (i < n)
        s[tid] = a[i] * b[i];
    __syncthreads();
    for (int half = BLOCK_SIZE / 2; half > 0; half /= 2) {
        if (tid < half)
            s[tid] += s[tid + half];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
