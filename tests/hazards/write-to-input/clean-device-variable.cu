// sim --grid 1 --block 32 --arg f32*32=iota:const --arg f32*32=uninit
__device__ float scratch[32];
__global__ void k(float *a, float *b) {
    scratch[threadIdx.x] = a[threadIdx.x];
    b[threadIdx.x] = scratch[threadIdx.x];
}
