// Worst cases for shadow memory: every byte is written by a thread of its own, in no order.
__global__ void bytes_scatter(unsigned char *out, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[(i * 2654435761u + 12345u) & (n - 1)] = (unsigned char)(i >> 3);
}
