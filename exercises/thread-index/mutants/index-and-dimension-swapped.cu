// The same three factors in another order: element 96 of block 0 belongs to no thread, or to many.
__global__ void thread_index(int *block, int *thread, int *warp, int *global, int n)
{
    int i = blockIdx.x + blockDim.x * threadIdx.x;
    if (blockIdx.x * blockDim.x + threadIdx.x < n) {
        block[i] = blockIdx.x;
        thread[i] = threadIdx.x;
        warp[i] = threadIdx.x / 32;
        global[i] = i;
    }
}
