// sim --grid 1 --block 32 --arg u8*64=iota --arg u8*64=zero
__global__ void k(const unsigned char *a, unsigned char *b) {
    b[63 - threadIdx.x] = a[threadIdx.x + 31];
}
