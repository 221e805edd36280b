// sim --grid 6 --block 32 --arg i32*192=uniform --arg i32*1=zero --arg i32*1=zero
// both builds
// The look outside of the lock may be old: it only saves a lock.
__global__ void k(const int *x, volatile int *best, int *lock) {
    if (threadIdx.x)
        return;
    for (int i = 0; i < 32; i++) {
        int v = x[blockIdx.x * 32 + i];
        if (v > *best) {
            while (atomicCAS(lock, 0, 1) != 0)
                ;
            __threadfence();
            if (v > *best)
                *best = v;
            __threadfence();
            atomicExch(lock, 0);
        }
    }
}
