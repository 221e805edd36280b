// sim --grid 1 --block 32 --arg i32*1=uninit
// says and a write by thread (0, 0, 0)
// says an atomic access
__global__ void k(int *b) {
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    atomicAdd(&count, 1); // HAZARD shared-race error
    __syncthreads();
    if (threadIdx.x == 0)
        *b = count;
}
