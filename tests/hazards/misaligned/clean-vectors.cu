// sim --grid 1 --block 8 --arg f32*64=iota --arg f32*64=zero
__global__ void k(const float *a, float *b) {
    float4 v = *(const float4 *)(a + 8 * threadIdx.x);
    float2 w = *(const float2 *)(a + 8 * threadIdx.x + 6);
    *(float4 *)(b + 8 * threadIdx.x + 4) = make_float4(v.x, w.x, w.y, v.w);
}
