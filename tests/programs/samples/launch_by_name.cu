// Launches without triple chevrons: arrays of arguments, structs by value, attributes of a launch.
#include "check.h"

struct Matrix {
    int rows, columns;
    double scale;
    float cells[6];
};

__global__ void apply(Matrix m, const float *x, float *y, char last) {
    int r = threadIdx.x;
    if (r >= m.rows)
        return;
    double sum = 0;
    for (int c = 0; c < m.columns; c++)
        sum += m.cells[r * m.columns + c] * x[c];
    y[r] = float(sum * m.scale) + last;
}

int main() {
    Matrix m = {2, 3, 0.5, {1, 2, 3, 4, 5, 6}};
    float x[3] = {1, 10, 100}, y[2], *d_x, *d_y;
    char last = 7;
    CHECK(cudaMalloc(&d_x, sizeof x));
    CHECK(cudaMalloc(&d_y, sizeof y));
    CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    void *args[] = {&m, &d_x, &d_y, &last};
    CHECK(cudaLaunchKernel((const void *)apply, dim3(1), dim3(32), args, 0, NULL));
    CHECK(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost));
    printf("%g %g\n", y[0], y[1]);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(64);
    m.scale = 2;
    CHECK(cudaLaunchKernelEx(&config, apply, m, (const float *)d_x, d_y, last));
    CHECK(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost));
    printf("%g %g\n", y[0], y[1]);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}
