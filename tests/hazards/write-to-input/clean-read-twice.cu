// sim --grid 1 --block 32 --arg f32*32=iota:const --arg f32*32=uninit
__global__ void k(float *a, float *b) {
    b[threadIdx.x] = a[threadIdx.x] + a[31 - threadIdx.x];
}
