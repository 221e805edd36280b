// sim --grid 1 --block 32 --arg f32*128=iota:const --arg f32*32=uninit
__global__ void k(float *a, float *b) {
    for (int i = threadIdx.x; i < 128; i += 32)
        a[i] *= 2; // HAZARD write-to-input error
    b[threadIdx.x] = a[threadIdx.x];
}
