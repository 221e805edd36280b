// sim --grid 1 --block 32 --arg f32*32=zero --arg i32=2
__global__ void k(float *b, int n) {
    __shared__ float s[32];
    int i = threadIdx.x;
    s[i] = i;
    __syncthreads();
    b[i] = s[i - n]; // HAZARD out-of-bounds error
}
