// sim --grid 1000 --block 256 --arg f32*256=zero --budget 2000000
__global__ void k(float *a) {
    float x = threadIdx.x;
    for (int i = 0; i < 1000; i++)
        x = x * 1.5f + 1; // HAZARD instruction-budget error
    a[threadIdx.x] = x;
}
// maybe global-race
