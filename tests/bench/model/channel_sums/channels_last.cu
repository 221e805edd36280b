// As block_a_channel, but a pixel's 64 channels stand side by side: a thread has a channel of every pixel
// that is its row's of the grid, and the four rows of a block add up in shared memory.
__global__ void sum(const float *in, float *sums, float *squares, int images)
{
    __shared__ float total[4][64], total_square[4][64];
    float own = 0.0f, own_square = 0.0f;
    for (int pixel = blockIdx.x * 4 + threadIdx.y; pixel < images * 3136; pixel += gridDim.x * 4) {
        float value = in[(size_t)pixel * 64 + threadIdx.x];
        own += value;
        own_square += value * value;
    }
    total[threadIdx.y][threadIdx.x] = own;
    total_square[threadIdx.y][threadIdx.x] = own_square;
    __syncthreads();
    if (threadIdx.y > 0)
        return;
    for (int row = 1; row < 4; row++) {
        own += total[row][threadIdx.x];
        own_square += total_square[row][threadIdx.x];
    }
    atomicAdd(&sums[threadIdx.x], own);
    atomicAdd(&squares[threadIdx.x], own_square);
}
