// sim --grid 1 --block 8 --arg u8*64=zero --arg i32=1
__global__ void k(unsigned char *a, int shift) {
    *(int *)(a + 4 * threadIdx.x + shift) = 5; // HAZARD misaligned error
}
