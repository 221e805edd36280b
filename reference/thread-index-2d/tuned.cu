// Five coalesced stores a thread are all that there is to do; the warps of a block of 32 x 4 write
// whole lines, and the time is that of writing 20 bytes an element.
__global__ void thread_index_2d(int *__restrict__ block, int *__restrict__ thread,
                                int *__restrict__ warp, int *__restrict__ column,
                                int *__restrict__ row, int width, int height, int block_width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int i = y * width + x;
    block[i] = blockIdx.y * gridDim.x + blockIdx.x;
    thread[i] = t;
    warp[i] = t / 32;
    column[i] = x;
    row[i] = y;
}
