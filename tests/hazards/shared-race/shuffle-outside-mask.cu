// sim --grid 1 --block 32 --arg i32*32=iota:const --arg i32*32=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = a[t];
    int x = 0;
    if (t < 16)
        x = __shfl_sync(0x0000ffff, a[t], 3);
    b[t] = x + s[(t + 16) % 32]; // HAZARD shared-race error
}
