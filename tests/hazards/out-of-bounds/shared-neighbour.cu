// sim --grid 1 --block 32 --arg f32*32=zero --arg i32=32
// the first array runs into the second: on the hardware nothing shows it
__global__ void k(float *b, int n) {
    __shared__ float s[32];
    __shared__ float t[32];
    int i = threadIdx.x;
    s[i] = i;
    t[i] = -i;
    __syncthreads();
    b[i] = s[i + (i & 1) * n] + t[i]; // HAZARD out-of-bounds error
}
