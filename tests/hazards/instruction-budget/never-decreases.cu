// sim --grid 1 --block 32 --arg f32*32=iota --budget 1000000
// expect instruction-budget error
__global__ void k(volatile float *a) {
    for (unsigned i = 10; i >= 0; i--)
        a[threadIdx.x & i & 31] = i;
}
// maybe global-race
