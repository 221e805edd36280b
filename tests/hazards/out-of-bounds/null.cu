// sim --grid 1 --block 32 --arg f32*32=zero --arg u64=0
// advises where the null pointer comes from
// says null pointer
__global__ void k(float *b, const float *a) {
    b[threadIdx.x] = a[threadIdx.x]; // HAZARD out-of-bounds error
}
