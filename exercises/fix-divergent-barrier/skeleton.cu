// warpgrade: fix-divergent-barrier
//
// sums[b] = x[256 * b] + ... + x[256 * b + 255]; the last block may have fewer elements, and n = 0
// has one sum, which is 0.
// Launched as block_sums<<<max(1, (n + 255) / 256), 256>>>(x, sums, n).
//
// This kernel has one mistake. On many a GPU it gives the right sums all the same. Find the mistake
// with `warpgrade grade fix-divergent-barrier.cu`, and mend it.

#define BLOCK_SIZE 256

__global__ void block_sums(const float *x, float *sums, int n)
{
    __shared__ float s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK_SIZE + tid;
    s[tid] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int half = BLOCK_SIZE / 2; half > 0; half /= 2) {
        if (tid < half) {
            s[tid] += s[tid + half];
            __syncthreads(); // the others have nothing to add, so they need not wait
        }
    }
    if (tid == 0)
        sums[blockIdx.x] = s[0];
}
