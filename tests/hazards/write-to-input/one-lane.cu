// sim --grid 1 --block 32 --arg f32*32=iota:const --arg f32*32=zero
__global__ void k(float *a, float *b) {
    b[threadIdx.x] = a[threadIdx.x];
    if (threadIdx.x == 31)
        a[0] = 7; // HAZARD write-to-input error
}
// maybe global-race
