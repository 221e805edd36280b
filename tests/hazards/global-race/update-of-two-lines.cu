// sim --grid 4 --block 64 --arg i32*256=iota --arg i32*1=zero
// advises in one step, with an atomic such as `atomicAdd()`
// advises never barrier, then
__global__ void k(const int *x, int *sum) {
    int old = *sum;                   // HAZARD global-race error
    *sum = old + x[threadIdx.x] % 3;  // HAZARD global-race error
}
