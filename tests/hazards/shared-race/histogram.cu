// sim --grid 1 --block 256 --arg u32*256=uniform:const --arg u32*16=zero
// advises an atomic such as `atomicAdd()`
// says bins[
__global__ void k(const unsigned *a, unsigned *b) {
    __shared__ unsigned bins[16];
    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0;
    __syncthreads();
    bins[a[threadIdx.x] % 16]++; // HAZARD shared-race error
    __syncthreads();
    if (threadIdx.x < 16)
        b[threadIdx.x] = bins[threadIdx.x];
}
// maybe shared-race
