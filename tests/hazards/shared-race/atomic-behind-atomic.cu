// sim --grid 1 --block 64 --arg i32*1=uninit
// says by thread (32, 0, 0)
__global__ void k(int *b) {
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        atomicAdd(&count, 1);
    if (threadIdx.x == 0)
        *b = count; // HAZARD shared-race error
}
