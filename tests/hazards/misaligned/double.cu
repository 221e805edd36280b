// sim --grid 1 --block 8 --arg f32*64=iota --arg f64*8=zero --arg i32=1
__global__ void k(const float *a, double *b, int shift) {
    b[threadIdx.x] = *(const double *)(a + 2 * threadIdx.x + shift); // HAZARD misaligned error
}
