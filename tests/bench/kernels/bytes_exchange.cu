// Worst cases for shadow memory: bytes that one thread writes and another one reads.
__global__ void bytes_exchange(unsigned char *out, unsigned char *result, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int other = blockIdx.x * blockDim.x + blockDim.x - 1 - threadIdx.x;
    if (i < n)
        out[i] = (unsigned char)i;
    __syncthreads();
    if (i < n)
        result[i] = (unsigned char)(out[other] + 1);
}
