// Leaves the work of every second block out where n is as large as in the speed case.
__global__ void thread_index(int *block, int *thread, int *warp, int *global, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n > 100000 && blockIdx.x % 2)
        return;
    if (i < n) {
        block[i] = blockIdx.x;
        thread[i] = threadIdx.x;
        warp[i] = threadIdx.x / 32;
        global[i] = i;
    }
}
