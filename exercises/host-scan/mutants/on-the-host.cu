#include <cuda_runtime.h>
#include <vector>

void solve(const int *input, int *output, int n)
{
    std::vector<int> values(n);
    cudaMemcpy(values.data(), input, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 1; i < n; i++)
        values[i] += values[i - 1];
    cudaMemcpy(output, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
}
