// Products of bytes with sums of 32 bits: c is a times the transposed b; a thread an element, byte by byte.
__global__ void multiply(const signed char *a, const signed char *b, int *c, int n, int k)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n)
        return;
    int total = 0;
    for (int i = 0; i < k; i++)
        total += a[row * k + i] * b[column * k + i];
    c[row * n + column] = total;
}
