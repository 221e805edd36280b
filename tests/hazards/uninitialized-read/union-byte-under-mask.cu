// sim --grid 1 --block 32 --arg i32*32=uninit
__global__ void k(int *o) {
    __shared__ union {
        unsigned char b[4];
        int i;
    } s[32];
    int x = threadIdx.x;
    s[x].b[0] = 1;
    s[x].b[1] = 2;
    s[x].b[3] = 4;
    __syncwarp();
    o[x] = s[31 - x].i & 0x00ffffff; // HAZARD uninitialized-read error
}
