// warpgrade: dot
// Right, and slow: the reduction joins neighbours first, whose words soon lie in one bank.
#define BLOCK_SIZE 256

__global__ void dot(const float *a, const float *b, float *out, int n) {
    __shared__ float s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK_SIZE + tid;
    s[tid] = i < n ? a[i] * b[i] : 0.0f;
    __syncthreads();
    for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
        int left = 2 * distance * tid;
        if (left < BLOCK_SIZE)
            s[left] += s[left + distance];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
