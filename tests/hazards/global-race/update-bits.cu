// sim --grid 2 --block 64 --arg u32*1=zero --arg u32*128=iota:const
// both builds
// advises `atomicAnd()`, `atomicOr()` or `atomicXor()`
__global__ void k(unsigned *seen, const unsigned *x) {
    *seen |= 1u << x[blockIdx.x * blockDim.x + threadIdx.x] % 32; // HAZARD global-race error
}
