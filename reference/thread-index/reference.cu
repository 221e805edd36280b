// The definitions, word for word: whole numbers have one right value.
__global__ void reference(int *block, int *thread, int *warp, int *global, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        block[i] = blockIdx.x;
        thread[i] = threadIdx.x;
        warp[i] = threadIdx.x / 32;
        global[i] = i;
    }
}
