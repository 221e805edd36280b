// sim --grid 1 --block 32 --arg f32*512=uniform:const --arg f64*96=uniform:const --arg i8*640=uniform:const --arg f32*256=uninit --arg f64*64=uninit --arg i32*256=uninit
#include <mma.h>
#include <cuda_bf16.h>
using namespace nvcuda;
// Every kind of factor that the API has besides half: tf32, bf16, double, signed char.
__global__ void k(const float *a, const double *d, const signed char *s, float *c, double *e, int *r) {
    __shared__ __align__(32) __nv_bfloat16 h[512];
    {
        wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fb;
        wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
        wmma::fill_fragment(fc, 1.0f);
        wmma::load_matrix_sync(fa, a, 8);
        wmma::load_matrix_sync(fb, a + 128, 16);
        for (int i = 0; i < fa.num_elements; i++)
            fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
        for (int i = 0; i < fb.num_elements; i++)
            fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
        wmma::mma_sync(fc, fa, fb, fc);
        wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
    }
    {
        wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> fb;
        wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc;
        wmma::load_matrix_sync(fc, d, 8, wmma::mem_row_major);
        wmma::load_matrix_sync(fa, d + 64, 4);
        wmma::load_matrix_sync(fb, d + 64, 4);
        wmma::mma_sync(fc, fa, fb, fc);
        wmma::store_matrix_sync(e, fc, 8, wmma::mem_row_major);
    }
    {
        wmma::fragment<wmma::matrix_a, 32, 8, 16, signed char, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 32, 8, 16, signed char, wmma::col_major> fb;
        wmma::fragment<wmma::accumulator, 32, 8, 16, int> fc;
        wmma::fill_fragment(fc, 5);
        wmma::load_matrix_sync(fa, s, 16);
        wmma::load_matrix_sync(fb, s + 512, 16);
        wmma::mma_sync(fc, fa, fb, fc);
        wmma::store_matrix_sync(r, fc, 8, wmma::mem_row_major);
    }
    for (int i = threadIdx.x; i < 512; i += 32)
        h[i] = __float2bfloat16(a[i]);
    __syncwarp();
    {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::col_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> fb;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
        wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
        wmma::load_matrix_sync(fa, h, 16);
        wmma::load_matrix_sync(fb, h + 256, 16);
        wmma::mma_sync(fc, fa, fb, fc);
        wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
    }
}
__global__ void check(const float *a, const double *d, const signed char *s, float *c, double *e, int *r) {
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            double sum = 1;
            for (int q = 0; q < 8; q++)
                sum += (double)a[i * 8 + q] * a[128 + q * 16 + j];
            for (int q = 0; q < 16; q++)
                sum += (double)__bfloat162float(__float2bfloat16(a[q * 16 + i])) *
                       __bfloat162float(__float2bfloat16(a[256 + q * 16 + j]));
            if (!(fabs(sum - c[i * 16 + j]) < 0.01))
                __trap();
        }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            double sum = d[i * 8 + j];
            for (int q = 0; q < 4; q++)
                sum += d[64 + i * 4 + q] * d[64 + j * 4 + q];
            if (!(fabs(sum - e[i * 8 + j]) < 1e-12))
                __trap();
        }
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 8; j++) {
            int sum = 5;
            for (int q = 0; q < 16; q++)
                sum += s[i * 16 + q] * s[512 + j * 16 + q];
            if (sum != r[i * 8 + j])
                __trap();
        }
}
