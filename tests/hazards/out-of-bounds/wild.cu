// sim --grid 1 --block 32 --arg f32*32=zero --arg u64=0x7f0012345678
__global__ void k(float *b, float *a) {
    a[threadIdx.x] = b[threadIdx.x]; // HAZARD out-of-bounds error
}
