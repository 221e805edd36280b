// sim --grid 1 --block 32 --arg i32*32=iota
// CUDA asks only the threads of the mask that have not exited to come
__global__ void k(int *a) {
    if (threadIdx.x >= 16)
        return;
    a[threadIdx.x] = __shfl_xor_sync(0xffffffff, a[threadIdx.x], 1);
}
