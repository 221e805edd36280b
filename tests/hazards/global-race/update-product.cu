// sim --grid 2 --block 64 --arg u32*1=zero --arg u32*128=iota:const
// both builds
// advises no atomic multiplies
__global__ void k(unsigned *product, const unsigned *x) {
    *product *= x[blockIdx.x * blockDim.x + threadIdx.x]; // HAZARD global-race error
}
