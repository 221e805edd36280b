// Worst cases for shadow memory: within a block, bytes are written in one order and read in another.
__global__ void bytes_shuffled(unsigned char *out, unsigned char *result, int n)
{
    unsigned first = blockIdx.x * blockDim.x, i = threadIdx.x;
    out[first + ((i * 37u + 11u) & 255)] = (unsigned char)i;
    __syncthreads();
    result[first + i] = (unsigned char)(out[first + ((i * 101u + 7u) & 255)] + 1);
}
