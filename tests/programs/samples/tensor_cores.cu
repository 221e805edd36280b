// A product by tensor cores: fragments of 16 x 16 x 16, half in and float out.
#include "check.h"

#include <cuda_fp16.h>
#include <mma.h>
#include <vector>

using namespace nvcuda;

__global__ void multiply(const half *a, const half *b, float *c, int m, int n, int k) {
    int row = blockIdx.y * 16, column = blockIdx.x * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < k; i += 16) {
        wmma::load_matrix_sync(fa, a + row * k + i, k);
        wmma::load_matrix_sync(fb, b + column * k + i, k);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] *= 0.5f;
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

int main() {
    const int m = 64, n = 48, k = 80;
    std::vector<half> a(m * k), b(n * k);
    std::vector<float> c(m * n);
    for (int i = 0; i < m * k; i++)
        a[i] = __float2half(float(i % 5 - 2));
    for (int i = 0; i < n * k; i++)
        b[i] = __float2half(float(i % 7 - 3));
    half *d_a, *d_b;
    float *d_c;
    CHECK(cudaMalloc(&d_a, a.size() * sizeof(half)));
    CHECK(cudaMalloc(&d_b, b.size() * sizeof(half)));
    CHECK(cudaMalloc(&d_c, c.size() * sizeof(float)));
    CHECK(cudaMemcpy(d_a, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice));
    multiply<<<dim3(n / 16, m / 16), 32>>>(d_a, d_b, d_c, m, n, k);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int l = 0; l < k; l++)
                sum += ((i * k + l) % 5 - 2) * ((j * k + l) % 7 - 3);
            wrong += c[i * n + j] != 0.5f * sum;
        }
    printf("%d wrong, c[5][7] = %g\n", wrong, c[5 * n + 7]);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    return wrong;
}
