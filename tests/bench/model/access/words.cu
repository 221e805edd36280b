// Adds one to each byte, four bytes a thread.
__global__ void increment(unsigned *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4)
        data[i] = __vadd4(data[i], 0x01010101u);
}
