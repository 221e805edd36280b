// sim --grid 1 --block 32 --arg i32*32=zero
// says what comes of it is used in line 9
__global__ void k(int *out) {
    __shared__ int head;
    int before = 1;
    if (threadIdx.x < 4)
        before = atomicExch(&head, threadIdx.x); // HAZARD uninitialized-read error

    out[threadIdx.x] = before;
}
