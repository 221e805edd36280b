// Right, and slow: one thread works and 95 watch.
__global__ void thread_index(int *block, int *thread, int *warp, int *global, int n)
{
    if (threadIdx.x != 0)
        return;
    for (int t = 0; t < blockDim.x; t++) {
        int i = blockIdx.x * blockDim.x + t;
        if (i >= n)
            return;
        block[i] = blockIdx.x;
        thread[i] = t;
        warp[i] = t / 32;
        global[i] = i;
    }
}
