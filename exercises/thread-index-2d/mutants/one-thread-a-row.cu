// Right, and slow: one thread of a row works and the others watch.
__global__ void thread_index_2d(int *block, int *thread, int *warp, int *column, int *row,
                                int width, int height, int block_width)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (threadIdx.x != 0 || y >= height)
        return;
    for (int j = 0; j < blockDim.x; j++) {
        int x = blockIdx.x * blockDim.x + j;
        if (x >= width)
            return;
        int t = threadIdx.y * blockDim.x + j;
        int i = y * width + x;
        block[i] = blockIdx.y * gridDim.x + blockIdx.x;
        thread[i] = t;
        warp[i] = t / 32;
        column[i] = x;
        row[i] = y;
    }
}
