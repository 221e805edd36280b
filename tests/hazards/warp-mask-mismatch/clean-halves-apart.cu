// sim --grid 1 --block 32 --arg i32*32=iota
__global__ void k(int *a) {
    int x = a[threadIdx.x];
    if (threadIdx.x < 16)
        x += __shfl_xor_sync(0x0000ffff, x, 1);
    else
        x -= __shfl_xor_sync(0xffff0000, x, 2);
    a[threadIdx.x] = x;
}
