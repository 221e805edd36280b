// sim --grid 1 --block 64 --arg u8*32=zero
__global__ void k(unsigned char *b) {
    b[threadIdx.x % 32] = threadIdx.x; // HAZARD global-race error
}
