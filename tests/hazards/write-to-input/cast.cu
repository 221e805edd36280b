// sim --grid 1 --block 32 --arg f32*32=iota:const --arg f32*32=zero
__global__ void k(const float *a, float *b) {
    const_cast<float *>(a)[threadIdx.x] = 1; // HAZARD write-to-input error
    b[threadIdx.x] = 2;
}
