// sim --grid 1 --block 32 --arg f32*126=iota --arg f32*128=zero
__global__ void k(const float4 *a, float4 *b) {
    b[threadIdx.x] = a[threadIdx.x]; // HAZARD out-of-bounds error
}
