// sim --grid 2 --block 64 --arg i32*1=zero --arg i32*128=iota:const
// both builds
// advises `atomicMax()`: no barrier
// advises never atomicAdd
__global__ void k(int *best, const int *x) {
    *best = max(*best, x[blockIdx.x * blockDim.x + threadIdx.x]); // HAZARD global-race error
}
