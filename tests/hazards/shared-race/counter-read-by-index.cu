// sim --grid 1 --block 96 --arg i32*96=zero
// both builds
__global__ void k(int *out) {
    __shared__ unsigned next, total;
    if (threadIdx.x == 0)
        next = 0;
    __syncthreads();
    unsigned mine = atomicAdd(&next, 1); // maybe shared-race
    if (mine < 90)
        out[mine] = threadIdx.x;
    if (threadIdx.x == 95)
        total = next; // HAZARD shared-race error
    __syncthreads();
    if (threadIdx.x == 0)
        out[95] = total;
}
