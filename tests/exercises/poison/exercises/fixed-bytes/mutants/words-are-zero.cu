__global__ void fill(unsigned char *y, unsigned *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned char byte = i % 2 ? 0xa5 : i;
        y[i] = byte;
        z[i] = byte * 0u;
    }
}
