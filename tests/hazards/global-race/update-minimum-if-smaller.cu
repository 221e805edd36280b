// sim --grid 2 --block 64 --arg i64*1=iota --arg i64*128=iota:const
// both builds
// advises `atomicMin()`: no barrier
// advises never atomicMax
__global__ void k(long long *least, const long long *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] <= *least) // HAZARD global-race error
        *least = x[i]; // HAZARD global-race error
}
