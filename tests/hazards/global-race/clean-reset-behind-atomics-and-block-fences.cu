// sim --grid 3 --block 160 --arg i32*3=zero --arg i32*3=zero
// One thread of each warp counts; the last of the block starts again.
__global__ void k(int *count, int *rounds) {
    int b = blockIdx.x;
    if (threadIdx.x % 32)
        return;
    __threadfence_block();
    if (atomicAdd_block(&count[b], 1) == blockDim.x / 32 - 1) {
        count[b] = 0;
        rounds[b] += 1;
    }
}
__global__ void check(int *count, int *rounds) {
    for (int b = 0; b < 3; b++)
        if (count[b] != 0 || rounds[b] != 1)
            __trap();
}
