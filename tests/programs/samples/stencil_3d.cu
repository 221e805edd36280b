// A 3-D finite difference of order 4: planes go through registers, the coefficients are a symbol.
#include "check.h"

#include <vector>

const int R = 2;
__constant__ float c[R + 1];

__global__ void derive(float *out, const float *in, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + R, y = blockIdx.y * blockDim.y + threadIdx.y + R;
    if (x >= nx - R || y >= ny - R)
        return;
    size_t plane = size_t(nx) * ny, i = size_t(y) * nx + x;
    float window[2 * R + 1];
    for (int k = 0; k < 2 * R; k++)
        window[k + 1] = in[i + k * plane];
    for (int z = R; z < nz - R; z++) {
        for (int k = 0; k < 2 * R; k++)
            window[k] = window[k + 1];
        window[2 * R] = in[i + (z + R) * plane];
        size_t here = i + z * plane;
        float sum = 3 * c[0] * window[R];
        for (int k = 1; k <= R; k++)
            sum += c[k] * (window[R - k] + window[R + k] + in[here - k] + in[here + k] + in[here - k * nx] + in[here + k * nx]);
        out[here] = sum;
    }
}

int main() {
    const int nx = 36, ny = 20, nz = 12;
    std::vector<float> in(nx * ny * nz), out(nx * ny * nz, 0);
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++)
                in[(z * ny + y) * nx + x] = float(x * x + 2 * y * y - 3 * z * z);
    float weights[R + 1] = {-2.5f, 4.0f / 3, -1.0f / 12};
    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, in.size() * sizeof(float)));
    CHECK(cudaMalloc(&d_out, out.size() * sizeof(float)));
    CHECK(cudaMemcpyToSymbol(c, weights, sizeof weights));
    CHECK(cudaMemset(d_out, 0, out.size() * sizeof(float)));
    CHECK(cudaMemcpy(d_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
    derive<<<dim3(2, 2), dim3(16, 8)>>>(d_out, d_in, nx, ny, nz);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
    int near_zero = 0, inside = 0;
    for (int z = R; z < nz - R; z++)
        for (int y = R; y < ny - R; y++)
            for (int x = R; x < nx - R; x++, inside++)
                near_zero += fabsf(out[(z * ny + y) * nx + x]) < 0.01f; // 2 + 4 - 6
    printf("%d of %d points have a Laplacian of 0\n", near_zero, inside);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return near_zero != inside;
}
