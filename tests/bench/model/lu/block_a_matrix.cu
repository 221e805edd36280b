// Factors matrices of 32 times 32 into a lower and an upper one, in one's place; 32 is added to the diagonal,
// so that no row has to move. A block of a thread an element, in shared memory.
__global__ void factor(const float *in, float *out)
{
    __shared__ float a[32][32];
    int column = threadIdx.x, row = threadIdx.y;
    size_t at = (size_t)blockIdx.x * 1024 + row * 32 + column;
    a[row][column] = in[at] + (row == column ? 32.0f : 0.0f);
    __syncthreads();
    for (int k = 0; k < 31; k++) {
        if (column == k && row > k)
            a[row][k] /= a[k][k];
        __syncthreads();
        if (column > k && row > k)
            a[row][column] -= a[row][k] * a[k][column];
        __syncthreads();
    }
    out[at] = a[row][column];
}
