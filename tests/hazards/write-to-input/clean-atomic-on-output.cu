// sim --grid 2 --block 32 --arg f32*64=iota:const --arg f32*1=zero
__global__ void k(float *a, float *b) {
    atomicAdd(b, a[blockIdx.x * 32 + threadIdx.x]);
}
