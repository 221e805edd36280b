// sim --grid 5 --block 64 --arg i32*5=uninit --arg i32*1=uninit
// says orders only threads of its own block
__device__ unsigned ticket;
__global__ void k(int *partial, int *out) {
    __shared__ bool last;
    int sum = __syncthreads_count(threadIdx.x % 3 == 0);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence_block();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int all = 0;
        for (int i = 0; i < gridDim.x; i++)
            all += partial[i]; // HAZARD global-race error
        *out = all;
    }
}
