// sim --grid 5 --block 64 --arg i32*1=zero
// both builds
__device__ int other, seen[64];

__global__ void k(int *c) {
    if (threadIdx.x == 0) {
        seen[blockIdx.x] = atomicAdd(c, 1);
        if (atomicAdd(&other, 1) == gridDim.x - 1)
            *c = 0; // HAZARD global-race error
    }
}
