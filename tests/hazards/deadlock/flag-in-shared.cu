// sim --grid 40 --block 64 --arg i32*64=zero
// says flag, which stays 0
// says No thread of the block is left
__global__ void k(int *out) {
    __shared__ volatile int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        while (flag == 0) // HAZARD deadlock error
            ;
    if (blockIdx.x == 0)
        out[threadIdx.x] = 1;
}
