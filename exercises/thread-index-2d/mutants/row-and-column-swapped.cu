// x goes down the columns: the numbers of the threads are right, their places are not.
__global__ void thread_index_2d(int *block, int *thread, int *warp, int *column, int *row,
                                int width, int height, int block_width)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    int x = blockIdx.y * blockDim.y + threadIdx.y;
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
