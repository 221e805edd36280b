// warpgrade: thread-index-2d
// The five numbers, each written by its own thread.
__global__ void thread_index_2d(int *block, int *thread, int *warp, int *column, int *row,
                                int width, int height, int block_width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int i = y * width + x;
    block[i] = blockIdx.y * gridDim.x + blockIdx.x;
    thread[i] = t;
    warp[i] = t / warpSize;
    column[i] = x;
    row[i] = y;
}
