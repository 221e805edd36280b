// Sums and sums of squares of the 64 channels of pictures of 56 times 56, as batch normalisation needs them:
// a block a channel.
__global__ void sum(const float *in, float *sums, float *squares, int images)
{
    __shared__ float total[256], total_square[256];
    float own = 0.0f, own_square = 0.0f;
    for (int image = 0; image < images; image++) {
        const float *plane = in + ((size_t)image * 64 + blockIdx.x) * 3136;
        for (int i = threadIdx.x; i < 3136; i += 256) {
            own += plane[i];
            own_square += plane[i] * plane[i];
        }
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
        sums[blockIdx.x] = total[0];
        squares[blockIdx.x] = total_square[0];
    }
}
