// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*1=zero
__global__ void k(int *lock, int *sum) {
    if (threadIdx.x)
        return;
    for (bool done = false; !done;) {
        if (*lock == 0 && atomicCAS(lock, 0, 1) == 0) { // HAZARD global-race error
            __threadfence();
            *sum += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
