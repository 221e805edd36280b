// As warp_a_row, but the exponentials and their sum are in double, "to be exact".
__global__ void loss(const float *scores, const unsigned *labels, float *losses, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float *own = scores + (size_t)row * 512;
    double sum = 0.0;
    for (int i = lane; i < 512; i += 32)
        sum += exp((double)own[i]);
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0)
        losses[row] = log(sum) - own[labels[row] % 512];
}
