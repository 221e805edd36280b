// sim --grid 1 --block 32 --arg f32*32=zero --arg i32=65536
__global__ void k(float *b, int n) {
    b[n * n - n * n + threadIdx.x + n * (n >> 1)] = 1; // HAZARD out-of-bounds error
}
