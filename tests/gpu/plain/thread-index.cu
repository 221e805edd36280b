// warpgrade: thread-index
// The four numbers, each written by its own thread.
__global__ void thread_index(int *block, int *thread, int *warp, int *global, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    block[i] = blockIdx.x;
    thread[i] = threadIdx.x;
    warp[i] = threadIdx.x / warpSize;
    global[i] = i;
}
