// As block_a_matrix, but with 256 threads a block and without shared memory.
__global__ void factor(const float *in, float *out)
{
    float *a = out + (size_t)blockIdx.x * 1024;
    int column = threadIdx.x % 32, first = threadIdx.x / 32;
    for (int row = first; row < 32; row += 8)
        a[row * 32 + column] =
            in[(size_t)blockIdx.x * 1024 + row * 32 + column] + (row == column ? 32.0f : 0.0f);
    __syncthreads();
    for (int k = 0; k < 31; k++) {
        if (threadIdx.x > k && threadIdx.x < 32)
            a[threadIdx.x * 32 + k] /= a[k * 32 + k];
        __syncthreads();
        for (int row = first; row < 32; row += 8)
            if (row > k && column > k)
                a[row * 32 + column] -= a[row * 32 + k] * a[k * 32 + column];
        __syncthreads();
    }
}
