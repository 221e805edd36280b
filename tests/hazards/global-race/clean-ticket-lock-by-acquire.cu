// sim --grid 64 --block 256 --seed 7 --budget 8000000 --arg u32*2=zero --arg u32*12288=zero
/* The first look stands before the loop, the lock is given back by a store, and a bin is used again
 * long after. */
__device__ unsigned served(unsigned *lock) {
    unsigned now;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(lock) : "memory");
    return now;
}
__global__ void k(unsigned *lock, unsigned *bins) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, mine = atomicAdd(&lock[0], 1), wait = 8;
    while (served(&lock[1]) != mine) {
        __nanosleep(wait);
        wait = wait < 64 ? 2 * wait : wait;
    }
    bins[i % 12288]++;
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(&lock[1]), "r"(mine + 1) : "memory");
}
__global__ void check(unsigned *lock, unsigned *bins) {
    for (int i = 0; i < 12288; i++)
        if (bins[i] != 1 + (i < 4096))
            __trap();
}
