// sim --grid 1 --block 32 --arg i32*32=iota
__global__ void k(int *a) {
    int x = a[threadIdx.x];
#pragma unroll 1
    for (int i = 0; i <= (int)(threadIdx.x & 1); i++)
        x += __shfl_sync(0xffffffff, x, 0); // HAZARD warp-mask-mismatch error
    a[threadIdx.x] = x;
    __syncthreads(); // the others are still there, and wait here
}
