// sim --grid 5 --block 64 --arg i32*1=zero
// both builds
struct number {
    int value;
    __device__ number(int value) : value(value) {}
    __device__ bool is(int other) const { return value == other; }
};

__global__ void k(int *c) {
    if (threadIdx.x != 0)
        return;
    number block(blockIdx.x), before(atomicAdd(c, 1));
    if (before.is(gridDim.x - 1))
        *c = block.is(99);
}
