// sim --grid 4 --block 64 --arg i32*256=iota --arg i32*8=zero --arg i32=256 --device-debug
__global__ void k(const int *in, int *bins, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    int old = bins[in[i] % 8], assumed;
    do {
        assumed = old;
        old = atomicCAS(&bins[in[i] % 8], assumed, assumed + 1);
    } while (old != assumed);
}
