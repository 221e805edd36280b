// sim --grid 1 --block 8 --arg u8*64=zero --arg u16*8=zero
__global__ void k(const unsigned char *a, unsigned short *b) {
    b[threadIdx.x] = *(const unsigned short *)(a + 2 * threadIdx.x + 3); // HAZARD misaligned error
}
