// sim --grid 1 --block 32 --arg i32*32=iota
/* Each half of the warp has a mask of its own, and lanes of both in either arm. */
__global__ void k(int *a) {
    __shared__ int s[32];
    int t = threadIdx.x;
    unsigned half = t < 16 ? 0x0000ffff : 0xffff0000;
    if (t & 1) {
        s[t] = a[t];
        __syncwarp(half);
    } else {
        s[t] = -a[t];
        __syncwarp(half);
    }
    a[t] = s[t ^ 9];
}

__global__ void check(int *a) {
    for (int t = 0; t < 32; t++)
        if (a[t] != ((t ^ 9) & 1 ? (t ^ 9) : -(t ^ 9)))
            __trap();
}
