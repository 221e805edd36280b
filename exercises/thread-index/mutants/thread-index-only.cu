// Every block believes to be the first.
__global__ void thread_index(int *block, int *thread, int *warp, int *global, int n)
{
    int i = threadIdx.x;
    if (i < n) {
        block[i] = blockIdx.x;
        thread[i] = threadIdx.x;
        warp[i] = threadIdx.x / 32;
        global[i] = i;
    }
}
