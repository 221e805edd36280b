#include <cuda_runtime.h>
#include <limits.h>

constexpr int BLOCK = 256;

__global__ void pad(const int *in, int *out, int n, int size)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < size)
        out[i] = i < n ? in[i] : INT_MAX;
}

__global__ void exchange(const int *before, int *values, int size, int run, int distance, bool upwards)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, other = i ^ distance;
    if (i >= size || other < i)
        return;
    bool ascending = (i & run) == 0;
    if (ascending != upwards)
        return;
    int a = before[i], b = before[other];
    values[i] = (a > b) == ascending ? b : a;
    values[other] = (a > b) == ascending ? a : b;
}

void solve(const int *input, int *output, int n)
{
    int size = 1;
    while (size < n)
        size *= 2;
    int *before, *values, blocks = (size + BLOCK - 1) / BLOCK;
    cudaMalloc(&values, size * sizeof(int));
    cudaMalloc(&before, size * sizeof(int));
    pad<<<blocks, BLOCK>>>(input, values, n, size);
    for (int run = 2; run <= size; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2) {
            cudaMemcpy(before, values, size * sizeof(int), cudaMemcpyDeviceToDevice);
            exchange<<<blocks, BLOCK>>>(before, values, size, run, distance, true);
            exchange<<<blocks, BLOCK>>>(before, values, size, run, distance, false);
        }
    cudaMemcpy(output, values, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(before);
    cudaFree(values);
}
