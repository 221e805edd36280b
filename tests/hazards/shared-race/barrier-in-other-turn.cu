// sim --grid 1 --block 64 --arg i32*64=uninit
__global__ void k(int *b) {
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
#pragma unroll 1
    for (int i = 0; i < 4; i++) {
        if (i % 2 == 0)
            __syncthreads();
        s[t] = i; // HAZARD shared-race any
        if (i % 2)
            __syncthreads();
        sum += s[(t + 32) % 64]; // HAZARD shared-race any
    }
    b[t] = sum;
}
// maybe shared-race
// maybe uninitialized-read
