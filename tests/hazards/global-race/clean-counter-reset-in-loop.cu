// sim --grid 5 --block 64 --arg i32*1=zero
// both builds
__global__ void k(int *c) {
    if (threadIdx.x != 0)
        return;
    bool last = atomicAdd(c, 1) == gridDim.x - 1;
#pragma unroll 1
    for (int i = 0; i < 4; i++)
        if (last && i == 0)
            *c = 0;
}
