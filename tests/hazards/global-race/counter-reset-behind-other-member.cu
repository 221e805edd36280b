// sim --grid 5 --block 64 --arg i32*1=zero --arg i32*64=zero
struct found {
    int before, last;
};

__device__ __noinline__ void finish(found found, int *c, int *out) {
    if (found.before == 100)
        out[blockIdx.x] = 3;
    __threadfence();
    if (found.last)
        *c = 0; // HAZARD global-race error
}

__global__ void k(int *c, int *out) {
    if (threadIdx.x == 0)
        finish({atomicAdd(c, 1), blockIdx.x == gridDim.x - 1}, c, out);
}
