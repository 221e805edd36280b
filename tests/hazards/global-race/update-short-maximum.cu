// sim --grid 2 --block 64 --arg i16*1=zero --arg i16*128=iota:const
// both builds
// advises take whole numbers of 32 or 64 bits only
__global__ void k(short *best, const short *x) {
    *best = max(*best, x[blockIdx.x * blockDim.x + threadIdx.x]); // HAZARD global-race error
}
