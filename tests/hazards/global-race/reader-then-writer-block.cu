// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*64=uninit
__global__ void k(int *scale, int *b) {
    if (blockIdx.x == 0)
        b[threadIdx.x] = *scale;
    else if (threadIdx.x == 3)
        *scale = 9; // HAZARD global-race error
}
