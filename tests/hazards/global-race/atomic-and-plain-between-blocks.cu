// sim --grid 4 --block 1 --arg i32*1=zero --arg i32*4=zero
// advises Make both accesses atomic:
// advises never barrier
__global__ void k(int *sum, int *out) {
    atomicAdd(sum, 1);                                  // HAZARD global-race error
    out[blockIdx.x * blockDim.x + threadIdx.x] = *sum;  // HAZARD global-race error
}
