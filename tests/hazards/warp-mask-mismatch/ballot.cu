// sim --grid 1 --block 32 --arg u32*32=iota
// says lanes 1, 3, 5, 7 and 12 more (mask 0xaaaaaaaa) execute this
__global__ void k(unsigned *a) {
    if (threadIdx.x & 1)
        a[threadIdx.x] = __ballot_sync(0xffffffff, a[threadIdx.x] > 5); // HAZARD warp-mask-mismatch error
    __syncthreads(); // the others are still there, and wait here
}
