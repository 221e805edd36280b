// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*32=uninit
#include <stdio.h>
__global__ void k(const int *in, int *out) {
    __shared__ int s[32];
    int x = threadIdx.x;
    if (x < 31)
        s[x] = in[x];
    __syncwarp();
    int v = s[x]; // HAZARD uninitialized-read error
    out[x] = 1;
    if (x == 31)
        printf("%d\n", v);
}
