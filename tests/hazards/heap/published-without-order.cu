// sim --grid 2 --block 32 --arg u64*1=zero --arg i32*64=uninit
__global__ void k(unsigned long long *slot, int *out) {
    if (blockIdx.x == 1 && threadIdx.x == 0) {
        int *p = (int *)malloc(4);
        *p = 1;
        *slot = (unsigned long long)p; // HAZARD global-race error
    }
    out[blockIdx.x * 32 + threadIdx.x] = *slot != 0;
}
