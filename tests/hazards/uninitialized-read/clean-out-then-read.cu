// sim --grid 1 --block 32 --arg i32*32=uninit
__global__ void k(int *b) {
    b[threadIdx.x] = 1;
    __syncwarp();
    b[threadIdx.x] += 3;
}
