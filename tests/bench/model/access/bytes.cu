// Adds one to each byte, a byte a thread.
__global__ void increment(unsigned char *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = (unsigned char)(data[i] + 1);
}
