// sim --grid 1 --block 32 --arg f16*256=uniform:const --arg f16*256=uniform:const --arg f32*256=uninit
#include <mma.h>
using namespace nvcuda;
typedef wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fragment_a;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fragment_b;
typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> fragment_c;
__global__ void k(const half *a, const half *b, float *c) {
    fragment_a fa;
    fragment_b fb;
    fragment_c fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b + 16, 16); // HAZARD out-of-bounds error
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
