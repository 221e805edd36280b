// Blocks are counted from 0.
__global__ void thread_index(int *block, int *thread, int *warp, int *global, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        block[i] = blockIdx.x + 1;
        thread[i] = threadIdx.x;
        warp[i] = threadIdx.x / 32;
        global[i] = i;
    }
}
