// sim --grid 16 --block 256 --arg i32*4096=iota --arg i32*1=zero --arg i32*1=zero --budget 4000000 --seed 5
// The lanes take the lock one after the other, and other warps look at it while one has it.
extern "C" __global__ void k(const int *x, int *lock, int *sum) {
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *(volatile int *)sum += x[blockIdx.x * 256 + threadIdx.x];
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
