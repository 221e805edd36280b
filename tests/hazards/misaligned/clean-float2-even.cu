// sim --grid 1 --block 32 --arg f32*66=iota --arg f32*64=uninit
__global__ void k(float *a, float *b) {
    float2 x = *(float2 *)(a + 2 * threadIdx.x + 2);
    b[threadIdx.x] = x.x + x.y;
}
