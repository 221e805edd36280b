// sim --grid 1 --block 32 --arg u8*160=iota --arg i32*32=uninit
__global__ void k(unsigned char *a, int *b) {
    int x;
    memcpy(&x, a + 4 * threadIdx.x + 3, 4);
    b[threadIdx.x] = x;
}
