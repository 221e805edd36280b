// sim --grid 1 --block 32 --arg u8*256=zero --arg i32*32=zero --arg i32=17
__global__ void k(const unsigned char *a, int *b, int odd) {
    int at = 4 * threadIdx.x + (threadIdx.x == odd ? 2 : 0);
    b[threadIdx.x] = *(const int *)(a + at); // HAZARD misaligned error
}
