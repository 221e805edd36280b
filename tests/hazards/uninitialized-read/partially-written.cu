// sim --grid 1 --block 32 --arg i32*32=zero
__global__ void k(int *b) {
    __shared__ __align__(4) unsigned char s[128];
    for (int i = 0; i < 3; i++)
        s[4 * threadIdx.x + i] = i;
    __syncthreads();
    b[threadIdx.x] = 1 + *(int *)(s + 4 * threadIdx.x); // HAZARD uninitialized-read error
}
