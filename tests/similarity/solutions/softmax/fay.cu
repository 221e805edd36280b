// warpgrade: softmax
#define BLOCK_SIZE 512
template <bool SUM> __device__ float combine(float a, float b) { return SUM ? a + b : fmaxf(a, b); }
template <bool SUM> __device__ float blockReduce(float v, float *room)
{
    int i = threadIdx.x;
    room[i] = v;
    for (int active = BLOCK_SIZE / 2; active >= 1; active /= 2) {
        __syncthreads();
        if (i < active) room[i] = combine<SUM>(room[i], room[i + active]);
    }
    __syncthreads();
    float all = room[0];
    __syncthreads();
    return all;
}
__global__ void softmax(const float *x, float *y, int rows, int cols)
{
    __shared__ float room[BLOCK_SIZE];
    const float *from = &x[(size_t)cols * blockIdx.x];
    float peak = -1e38f;
    for (int c = threadIdx.x; c < cols; c += BLOCK_SIZE) peak = combine<false>(peak, from[c]);
    peak = blockReduce<false>(peak, room);
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += BLOCK_SIZE) sum = combine<true>(sum, expf(from[c] - peak));
    sum = blockReduce<true>(sum, room);
    float *to = &y[(size_t)cols * blockIdx.x];
    for (int c = threadIdx.x; c < cols; c += BLOCK_SIZE) to[c] = __fdividef(expf(from[c] - peak), sum);
}
