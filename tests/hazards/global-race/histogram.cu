// sim --grid 4 --block 64 --arg u32*256=uniform:const --arg u32*8=zero
// advises an atomic such as `atomicAdd()`
__global__ void k(const unsigned *a, unsigned *bins) {
    bins[a[blockIdx.x * 64 + threadIdx.x] % 8]++; // HAZARD global-race error
}
// maybe global-race
