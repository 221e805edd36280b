// sim --grid 1 --block 32 --arg f32*32=iota
__global__ void k(float *a) {
    a[threadIdx.x] *= 2;
}
