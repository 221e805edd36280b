// sim --grid 2 --block 64 --arg i32*4=zero --arg i32*4=zero
__global__ void k(int *locks, int *sums) {
    int which = threadIdx.x % 4;
    bool done = false;
    while (!done)
        if (atomicCAS(&locks[which], 0, 1) == 0) {
            __threadfence();
            sums[which] += threadIdx.x;
            __threadfence();
            atomicExch(&locks[which], 0);
            done = true;
        }
}
