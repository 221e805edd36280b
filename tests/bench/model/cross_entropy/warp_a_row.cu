// As thread_a_row, but a warp has a row, reads it twice and adds with shuffles.
__global__ void loss(const float *scores, const unsigned *labels, float *losses, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float *own = scores + (size_t)row * 512;
    float largest = own[lane], sum = 0.0f;
    for (int i = lane + 32; i < 512; i += 32)
        largest = fmaxf(largest, own[i]);
    for (int step = 16; step > 0; step /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
    for (int i = lane; i < 512; i += 32)
        sum += expf(own[i] - largest);
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0)
        losses[row] = logf(sum) + largest - own[labels[row] % 512];
}
