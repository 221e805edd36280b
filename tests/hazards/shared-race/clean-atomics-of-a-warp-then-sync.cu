// sim --grid 1 --block 64 --arg i32*2=uninit
__global__ void k(int *b) {
    __shared__ int count[2];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0)
        count[warp] = 0;
    __syncwarp();
    atomicAdd(&count[warp], 1);
    __syncwarp();
    if (lane == 31)
        b[warp] = count[warp];
    __syncthreads();
    if (threadIdx.x == 0)
        count[1] = 7;
}
