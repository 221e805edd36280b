// The number of the element is in range, but it is the next row's.
__global__ void thread_index_2d(int *block, int *thread, int *warp, int *column, int *row,
                                int width, int height, int block_width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y * width + x >= width * height)
        return;
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int i = y * width + x;
    block[i] = blockIdx.y * gridDim.x + blockIdx.x;
    thread[i] = t;
    warp[i] = t / 32;
    column[i] = x;
    row[i] = y;
}
