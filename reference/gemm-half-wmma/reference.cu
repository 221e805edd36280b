#include <cuda_fp16.h>

// One thread an element, in double; the last parameter receives the sum of the products'
// magnitudes, which bounds the rounding errors of a sum in float in any order.
__global__ void reference(const __half *A, const __half *B, double *C, int m_tiles, int n_tiles,
                          int k_tiles, double *C_magnitude)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    int n = n_tiles * 16, k = k_tiles * 16;
    double sum = 0, magnitude = 0;
    for (int i = 0; i < k; i++) {
        double product = (double)__half2float(A[(size_t)row * k + i]) *
                         (double)__half2float(B[(size_t)i * n + col]);
        sum += product;
        magnitude += fabs(product);
    }
    C[(size_t)row * n + col] = sum;
    C_magnitude[(size_t)row * n + col] = magnitude;
}
