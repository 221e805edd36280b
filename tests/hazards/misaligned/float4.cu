// sim --grid 1 --block 8 --arg f32*64=iota --arg f32*64=zero --arg i32=1
__global__ void k(const float *a, float *b, int shift) {
    float4 v = *(const float4 *)(a + 4 * threadIdx.x + shift); // HAZARD misaligned error
    b[threadIdx.x] = v.x + v.w;
}
