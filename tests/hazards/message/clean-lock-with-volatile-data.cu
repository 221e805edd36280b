// sim --grid 4 --block 32 --arg i32*2=zero --arg i32*1=zero --arg i32*4=uninit
// both builds
// It looks before it takes the lock; the atomic that takes it tells of the data.
__global__ void k(volatile int *data, int *lock, int *out) {
    if (threadIdx.x)
        return;
    do {
        while (*(volatile int *)lock)
            ;
    } while (atomicCAS(lock, 0, 1));
    __threadfence();
    data[1] = data[0];
    data[0] = data[1] + 1;
    __threadfence();
    atomicExch(lock, 0);
    out[blockIdx.x] = 1;
}
