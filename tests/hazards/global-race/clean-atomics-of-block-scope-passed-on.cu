// sim --grid 2 --block 128 --arg i32*1=zero --arg i32*1=zero
// Block 0 counts by itself; its last thread hands the counter over to block 1.
__global__ void k(int *count, int *flag) {
    if (threadIdx.x % 32)
        return;
    if (blockIdx.x == 0) {
        __threadfence_block();
        if (atomicAdd_block(count, 1) == 3) {
            atomicAdd(count, 100);
            __threadfence();
            atomicExch(flag, 1);
        }
    } else if (threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0)
            ;
        atomicAdd(count, 1);
    }
}
__global__ void check(int *count, int *flag) {
    if (*count != 105)
        __trap();
}
