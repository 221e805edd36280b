// sim --grid 1 --block 32 --arg f32*32=iota --arg f32*32=uninit
__global__ void k(const float *a, float *sum) {
    sum[threadIdx.x] += a[threadIdx.x]; // HAZARD uninitialized-read error
}
