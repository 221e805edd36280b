// sim --grid 1 --block 32 --arg i32*32=zero
__global__ void k(int *out) {
    __shared__ int lock;
    if (threadIdx.x == 0)
        out[0] = 1 + (atomicCAS(&lock, 0, 1) == 0); // HAZARD uninitialized-read error
}
