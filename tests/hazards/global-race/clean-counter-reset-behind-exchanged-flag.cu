// sim --grid 5 --block 64 --arg i32*1=zero
__global__ void k(int *c) {
    __shared__ int last;
    if (threadIdx.x == 0)
        atomicExch(&last, atomicAdd(c, 1) == (int)gridDim.x - 1);
    __syncthreads();
    if (last && threadIdx.x == 0)
        *c = 0;
}
