// sim --grid 8 --block 32 --arg f32*256=zero --budget 2000000
__global__ void k(float *a) {
    float x = threadIdx.x;
    for (int i = 0; i < 1000; i++)
        x = x * 0.5f + 1;
    a[blockIdx.x * 32 + threadIdx.x] = x;
}
