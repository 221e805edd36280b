// All shortest paths: n launches over a matrix with a pitch.
#include "check.h"

#include <algorithm>
#include <vector>

__global__ void relax(int *distance, size_t pitch, int n, int k) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n || x == k || y == k)
        return;
    int *row = (int *)((char *)distance + y * pitch), *through = (int *)((char *)distance + k * pitch);
    row[x] = min(row[x], row[k] + through[x]);
}

int main() {
    const int n = 75, FAR = 1000000;
    std::vector<int> d(n * n), expected;
    Random random(4);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            d[y * n + x] = x == y ? 0 : random.below(12) == 0 ? 1 + random.below(50) : FAR;
    expected = d;
    for (int k = 0; k < n; k++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
                expected[y * n + x] = std::min(expected[y * n + x], expected[y * n + k] + expected[k * n + x]);
    int *d_d;
    size_t pitch;
    CHECK(cudaMallocPitch(&d_d, &pitch, n * sizeof(int), n));
    CHECK(cudaMemcpy2D(d_d, pitch, d.data(), n * sizeof(int), n * sizeof(int), n, cudaMemcpyHostToDevice));
    for (int k = 0; k < n; k++)
        relax<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(d_d, pitch, n, k);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2D(d.data(), n * sizeof(int), d_d, pitch, n * sizeof(int), n, cudaMemcpyDeviceToHost));
    int longest = 0;
    for (int x : d)
        if (x < FAR)
            longest = std::max(longest, x);
    printf("pitch %zu, %s, longest path %d\n", pitch, d == expected ? "right" : "WRONG", longest);
    CHECK(cudaFree(d_d));
}
