// Solves a system by Gaussian elimination: two kernels for each column, back substitution on the host.
#include "check.h"

#include <cmath>
#include <vector>

__global__ void factors(float *m, const float *a, int size, int t) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size - 1 - t)
        m[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] / a[size * t + t];
}

__global__ void eliminate(const float *m, float *a, float *b, int size, int t) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= size - 1 - t || y >= size - t)
        return;
    a[size * (x + 1 + t) + y + t] -= m[size * (x + 1 + t) + t] * a[size * t + y + t];
    if (y == 0)
        b[x + 1 + t] -= m[size * (x + 1 + t) + t] * b[t];
}

int main() {
    const int n = 40;
    std::vector<float> a(n * n), b(n), x(n);
    for (int i = 0; i < n; i++) {
        b[i] = 0;
        for (int j = 0; j < n; j++) {
            a[i * n + j] = 10 * expf(-0.1f * abs(i - j)) + (i == j ? 5 : 0);
            b[i] += a[i * n + j] * (j % 7);
        }
    }
    float *d_m, *d_a, *d_b;
    CHECK(cudaMalloc(&d_m, n * n * sizeof(float)));
    CHECK(cudaMalloc(&d_a, n * n * sizeof(float)));
    CHECK(cudaMalloc(&d_b, n * sizeof(float)));
    CHECK(cudaMemset(d_m, 0, n * n * sizeof(float)));
    CHECK(cudaMemcpy(d_a, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    for (int t = 0; t < n - 1; t++) {
        factors<<<1, 64>>>(d_m, d_a, n, t);
        CHECK(cudaDeviceSynchronize());
        eliminate<<<dim3(10, 10), dim3(4, 4)>>>(d_m, d_a, d_b, n, t);
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaMemcpy(a.data(), d_a, n * n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(b.data(), d_b, n * sizeof(float), cudaMemcpyDeviceToHost));
    float worst = 0;
    for (int i = n - 1; i >= 0; i--) {
        x[i] = b[i];
        for (int j = i + 1; j < n; j++)
            x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
        worst = fmaxf(worst, fabsf(x[i] - i % 7));
    }
    printf("%d unknowns: largest error %s; x[3] = %.3f\n", n, worst < 1e-3f ? "below 1e-3" : "TOO LARGE", x[3]);
    CHECK(cudaFree(d_m));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
}
