// sim --grid 2 --block 64 --arg u32*1=zero --arg u32*128=iota:const
// advises `atomicMin()`: no barrier
// advises never atomicAdd
__global__ void k(unsigned *least, const unsigned *x) {
    unsigned mine = x[blockIdx.x * blockDim.x + threadIdx.x];
    *least = mine < *least ? mine : *least; // HAZARD global-race error
}
