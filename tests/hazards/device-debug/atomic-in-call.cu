// sim --grid 1 --block 32 --device-debug --arg i32*32=zero
__global__ void k(int *h) {
    __shared__ int s[4];
    atomicAdd(&s[threadIdx.x & 3], 1); // HAZARD uninitialized-read error
    __syncthreads();
    h[threadIdx.x] = s[threadIdx.x & 3];
}
