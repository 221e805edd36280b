#include <cuda_runtime.h>
#include <limits.h>

constexpr int BLOCK = 256;

__global__ void pad(const int *in, int *out, int n, int size)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < size)
        out[i] = i < n ? in[i] : 0;
}

__global__ void exchange(int *values, int size, int run, int distance)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, other = i ^ distance;
    if (i >= size || other < i)
        return;
    bool ascending = (i & run) == 0;
    int a = values[i], b = values[other];
    if ((a > b) == ascending) {
        values[i] = b;
        values[other] = a;
    }
}

void solve(const int *input, int *output, int n)
{
    int size = 1;
    while (size < n)
        size *= 2;
    int *values, blocks = (size + BLOCK - 1) / BLOCK;
    cudaMalloc(&values, size * sizeof(int));
    pad<<<blocks, BLOCK>>>(input, values, n, size);
    for (int run = 2; run <= size; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2)
            exchange<<<blocks, BLOCK>>>(values, size, run, distance);
    cudaMemcpy(output, values, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(values);
}
