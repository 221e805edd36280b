// sim --grid 5 --block 64 --arg i32*1=zero
// both builds
__device__ bool is_last(int2 number) {
    return number.x == number.y - 1;
}

__global__ void k(int *c) {
    if (threadIdx.x == 0 && is_last(make_int2(atomicAdd(c, 1), gridDim.x)))
        *c = 0;
}
