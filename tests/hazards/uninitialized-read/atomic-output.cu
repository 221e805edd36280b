// sim --grid 1 --block 32 --arg f32*32=iota --arg f32*1=uninit
__global__ void k(const float *a, float *sum) {
    atomicAdd(sum, a[threadIdx.x]); // HAZARD uninitialized-read error
}
