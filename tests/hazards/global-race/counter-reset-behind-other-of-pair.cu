// sim --grid 5 --block 64 --arg i32*1=zero --arg i32*64=zero
__device__ bool is_last(int2 number) {
    return number.x == gridDim.x - 1;
}

__global__ void k(int *c, int *out) {
    if (threadIdx.x != 0)
        return;
    int2 both = make_int2(blockIdx.x, atomicAdd(c, 1));
    out[both.y] = 1;
    if (is_last(both))
        *c = 0; // HAZARD global-race error
}
