// Jacobi steps until the largest change is small; the change is an atomic maximum of float bits.
#include "check.h"

#include <algorithm>
#include <vector>

__global__ void step(const float *now, float *then, int *change, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float mine = 0;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
        int i = y * n + x;
        float value = 0.25f * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n]);
        mine = fabsf(value - now[i]);
        then[i] = value;
    }
    for (int offset = 16; offset; offset /= 2)
        mine = fmaxf(mine, __shfl_xor_sync(0xffffffff, mine, offset));
    if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0)
        atomicMax(change, __float_as_int(mine));
}

int main() {
    const int n = 48;
    std::vector<float> plate(n * n, 0);
    for (int i = 0; i < n; i++)
        plate[i] = 100;
    float *d_now, *d_then;
    int *d_change;
    CHECK(cudaMalloc(&d_now, n * n * sizeof(float)));
    CHECK(cudaMalloc(&d_then, n * n * sizeof(float)));
    CHECK(cudaMalloc(&d_change, sizeof(int)));
    CHECK(cudaMemcpy(d_now, plate.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_then, d_now, n * n * sizeof(float), cudaMemcpyDeviceToDevice));
    int steps = 0;
    float change = 1000;
    while (change > 0.5f && steps < 500) {
        CHECK(cudaMemset(d_change, 0, sizeof(int)));
        step<<<dim3(n / 16, n / 8), dim3(16, 8)>>>(d_now, d_then, d_change, n);
        CHECK(cudaMemcpy(&change, d_change, sizeof(int), cudaMemcpyDeviceToHost));
        std::swap(d_now, d_then);
        steps++;
    }
    CHECK(cudaMemcpy(plate.data(), d_now, n * n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%d steps, change %.4f, at row 5: %.4f, at the middle: %.6f\n", steps, change, plate[5 * n + n / 2],
           plate[n / 2 * n + n / 2]);
    CHECK(cudaFree(d_now));
    CHECK(cudaFree(d_then));
    CHECK(cudaFree(d_change));
}
