// sim --grid 1 --block 32 --arg f32*1=iota --arg f32*1=zero
__global__ void k(const float *a, float *b) {
    if (threadIdx.x == 0)
        b[0] = a[0];
}
