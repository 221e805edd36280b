// sim --grid 16 --block 256 --arg i32*4096=iota --arg i32*1=zero --arg i32*1=zero --budget 4000000
// Who waits for the lock sleeps while others have it, so that a small multiple of the work is
// enough.
extern "C" __global__ void k(const int *x, int *lock, int *sum) {
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *(volatile int *)sum += x[blockIdx.x * 256 + threadIdx.x];
    __threadfence();
    atomicExch(lock, 0);
}
