// The loss of each row of 512 scores: the logarithm of the sum of their exponentials less the score of the
// row's class. A thread a row, which reads it twice. Labels are any words.
__global__ void loss(const float *scores, const unsigned *labels, float *losses, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    const float *own = scores + (size_t)row * 512;
    float largest = own[0], sum = 0.0f;
    for (int i = 1; i < 512; i++)
        largest = fmaxf(largest, own[i]);
    for (int i = 0; i < 512; i++)
        sum += expf(own[i] - largest);
    losses[row] = logf(sum) + largest - own[labels[row] % 512];
}
