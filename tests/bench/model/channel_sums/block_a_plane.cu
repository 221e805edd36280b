// As block_a_channel, but a block a channel of one picture, which adds to the sums.
__global__ void sum(const float *in, float *sums, float *squares, int images)
{
    __shared__ float total[256], total_square[256];
    const float *plane = in + (size_t)blockIdx.x * 3136;
    float own = 0.0f, own_square = 0.0f;
    for (int i = threadIdx.x; i < 3136; i += 256) {
        own += plane[i];
        own_square += plane[i] * plane[i];
    }
    total[threadIdx.x] = own;
    total_square[threadIdx.x] = own_square;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) {
            total[threadIdx.x] += total[threadIdx.x + step];
            total_square[threadIdx.x] += total_square[threadIdx.x + step];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        atomicAdd(&sums[blockIdx.x % 64], total[0]);
        atomicAdd(&squares[blockIdx.x % 64], total_square[0]);
    }
}
