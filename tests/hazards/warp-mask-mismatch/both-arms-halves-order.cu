// sim --grid 1 --block 32 --arg i32*32=zero
/* Lanes meet those of their own mask only: the halves are not ordered with each other. */
__global__ void k(int *a) {
    __shared__ int s[32];
    int t = threadIdx.x;
    unsigned half = t < 16 ? 0x0000ffff : 0xffff0000;
    if (t & 1) {
        s[t] = t;
        __syncwarp(half);
    } else {
        s[t] = -t;
        __syncwarp(half);
    }
    a[t] = s[t ^ 17]; // HAZARD shared-race any
}
