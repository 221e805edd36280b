// As thread_a_row, but a block of 128 threads has a row, and halves what it has in shared memory.
__global__ void loss(const float *scores, const unsigned *labels, float *losses, int rows)
{
    __shared__ float partial[128];
    const float *own = scores + (size_t)blockIdx.x * 512;
    int t = threadIdx.x;
    float largest = own[t];
    for (int i = t + 128; i < 512; i += 128)
        largest = fmaxf(largest, own[i]);
    partial[t] = largest;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half)
            partial[t] = fmaxf(partial[t], partial[t + half]);
        __syncthreads();
    }
    largest = partial[0];
    __syncthreads();
    float sum = 0.0f;
    for (int i = t; i < 512; i += 128)
        sum += expf(own[i] - largest);
    partial[t] = sum;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half)
            partial[t] += partial[t + half];
        __syncthreads();
    }
    if (t == 0)
        losses[blockIdx.x] = logf(partial[0]) + largest - own[labels[blockIdx.x] % 512];
}
