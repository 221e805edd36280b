// sim --grid 1 --block 32 --arg f32*32=iota:const --arg f32*32=uninit
__global__ void k(float *a, float *b) {
    __shared__ float s[32];
    s[threadIdx.x] = a[threadIdx.x];
    s[threadIdx.x] *= 2;
    b[threadIdx.x] = s[threadIdx.x];
}
