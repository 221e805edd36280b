// sim --grid 2 --block 64 --arg i32*1=zero --arg i32*128=iota:const
// both builds
// advises `atomicMax()`: no barrier
// advises never atomicMin
__global__ void k(int *best, const int *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (*best < x[i]) // HAZARD global-race error
        *best = x[i]; // HAZARD global-race error
}
