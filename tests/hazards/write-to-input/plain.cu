// sim --grid 1 --block 32 --arg f32*32=iota:const --arg f32*32=zero
__global__ void k(float *a, float *b) {
    a[threadIdx.x] = 1; // HAZARD write-to-input error
    b[threadIdx.x] = 2;
}
