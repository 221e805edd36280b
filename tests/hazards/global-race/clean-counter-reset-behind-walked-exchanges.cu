// sim --grid 5 --block 64 --arg i32*1=zero
__global__ void k(int *c) {
    __shared__ int flags[64];
    if (threadIdx.x == 0) {
        int last = atomicAdd(c, 1) == (int)gridDim.x - 1;
        int *flag = flags;
#pragma unroll 1
        for (int i = 0; i < 64; i++)
            atomicExch(flag++, last);
    }
    __syncthreads();
    if (threadIdx.x == 0 && flags[63])
        *c = 0;
}
