// sim --grid 1 --block 32 --arg i32*32=iota:const --arg i32*32=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int s[32];
    int t = threadIdx.x, x = 0;
    s[t] = a[t];
    if (t < 16)
        __syncwarp(0x0000ffff);
    else
        x = __shfl_sync(0xffff0000, t, 20);
    __syncwarp();
    b[t] = s[31 - t] + x;
}
