// % and / answer different questions.
__global__ void thread_index(int *block, int *thread, int *warp, int *global, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        block[i] = blockIdx.x;
        thread[i] = threadIdx.x;
        warp[i] = threadIdx.x % 32;
        global[i] = i;
    }
}
