// Worst cases for shadow memory: words that three threads read in a kernel with fences: each reader is remembered.
__global__ void words_fenced(int *data, int n)
{
    int first = blockIdx.x * blockDim.x, i = threadIdx.x;
    int sum = data[first + ((i + 255) & 255)] + data[first + i] + data[first + ((i + 1) & 255)];
    __threadfence();
    __syncthreads();
    data[first + i] = sum + 1;
}
