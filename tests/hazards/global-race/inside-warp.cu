// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*32=uninit
// advises `__syncwarp()` between one
// says lanes of one warp
__global__ void k(int *a, int *b) {
    a[threadIdx.x] = 2 * threadIdx.x;
    b[threadIdx.x] = a[31 - threadIdx.x]; // HAZARD global-race error
}
