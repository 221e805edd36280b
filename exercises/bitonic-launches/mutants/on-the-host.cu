#include <algorithm>
#include <cuda_runtime.h>
#include <vector>

void solve(const int *input, int *output, int n)
{
    std::vector<int> values(n);
    cudaMemcpy(values.data(), input, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::sort(values.begin(), values.end());
    cudaMemcpy(output, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
}
