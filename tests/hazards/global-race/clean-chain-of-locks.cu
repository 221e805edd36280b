// sim --grid 8 --block 32 --arg i32*64=zero --arg i32*1=zero --arg i32*64=zero
// What is written under one lock is read under another: it goes from hand to hand.
__device__ void take(int *lock) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
}
__device__ void give(int *lock) {
    __threadfence();
    atomicExch(lock, 0);
}
__global__ void k(int *lock, int *data, volatile int *turn) {
    if (threadIdx.x)
        return;
    int me = blockIdx.x;
    bool done = false;
    while (!done) {
        take(&lock[me]); // of this block and the one before
        done = me == 0 || turn[me] == 1;
        if (done)
            *data += me + 1;
        give(&lock[me]);
    }
    take(&lock[me + 1]);
    turn[me + 1] = 1;
    give(&lock[me + 1]);
}
__global__ void check(int *lock, int *data, int *turn) {
    if (*data != 36)
        __trap();
}
