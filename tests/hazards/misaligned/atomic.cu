// sim --grid 1 --block 4 --arg u8*64=zero
__global__ void k(unsigned char *a) {
    atomicAdd((int *)(a + 8 * threadIdx.x + 2), 1); // HAZARD misaligned error
}
