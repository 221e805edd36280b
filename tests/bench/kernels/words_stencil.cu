// Worst cases for shadow memory: words that three threads read, and a fourth access writes.
__global__ void words_stencil(int *data, int n)
{
    int first = blockIdx.x * blockDim.x, i = threadIdx.x;
    int sum = data[first + ((i + 255) & 255)] + data[first + i] + data[first + ((i + 1) & 255)];
    __syncthreads();
    data[first + i] = sum + 1;
}
