// sim --grid 2 --block 64 --arg i32*4=uninit
__global__ void k(int *b) {
    __shared__ int count[2];
    int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 3)
        count[warp] = 0;
    __syncwarp();
    atomicAdd(&count[warp], 1);
    __syncwarp();
    atomicAdd(&count[warp], 1);
    __syncthreads();
    if (threadIdx.x < 2)
        b[2 * blockIdx.x + threadIdx.x] = count[1 - threadIdx.x];
}
