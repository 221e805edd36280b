// As warp_a_row, but the row is read once: whenever a lane meets a larger score, it scales its sum.
__global__ void loss(const float *scores, const unsigned *labels, float *losses, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float *own = scores + (size_t)row * 512;
    float largest = -INFINITY, sum = 0.0f;
    for (int i = lane; i < 512; i += 32) {
        float score = own[i];
        if (score > largest) {
            sum *= __expf(largest - score);
            largest = score;
        }
        sum += __expf(score - largest);
    }
    for (int step = 16; step > 0; step /= 2) {
        float other_largest = __shfl_xor_sync(0xffffffffu, largest, step);
        float other_sum = __shfl_xor_sync(0xffffffffu, sum, step);
        float both = fmaxf(largest, other_largest);
        sum = sum * __expf(largest - both) + other_sum * __expf(other_largest - both);
        largest = both;
    }
    if (lane == 0)
        losses[row] = __logf(sum) + largest - own[labels[row] % 512];
}
