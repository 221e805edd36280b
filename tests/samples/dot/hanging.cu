// warpgrade: dot
// Never ends: the loop waits for half to become zero, but 1 - 1 / 2 is 1.
#define BLOCK_SIZE 256

__global__ void dot(const float *a, const float *b, float *out, int n) {
    __shared__ float s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK_SIZE + tid;
    s[tid] = i < n ? a[i] * b[i] : 0.0f;
    __syncthreads();
    for (int half = BLOCK_SIZE / 2; half > 0; half -= half / 2) {
        if (tid < half)
            s[tid] += s[tid + half];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
