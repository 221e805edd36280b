// blockIdx.x begins again in each row of blocks.
__global__ void thread_index_2d(int *block, int *thread, int *warp, int *column, int *row,
                                int width, int height, int block_width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int i = y * width + x;
    block[i] = blockIdx.x;
    thread[i] = t;
    warp[i] = t / 32;
    column[i] = x;
    row[i] = y;
}
