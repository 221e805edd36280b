// sim --grid 2 --block 32 --arg 'f32[64]=iota' --arg 'f32[32]=zero'
// advises in one step, with an atomic such as `atomicAdd()`
// advises never one writer
__global__ void k(const float *x, float *sum) {
    sum[threadIdx.x] += x[blockIdx.x * 32 + threadIdx.x]; // HAZARD global-race error
}
