// sim --grid 1 --block 32 --arg i32*2=zero --budget 3000000
// lanes of one warp take one lock: with one program counter a warp this would never end
__global__ void k(int *a) {
    bool done = false;
    while (!done)
        if (atomicCAS(a, 0, 1) == 0) {
            __threadfence();
            ((volatile int *)a)[1]++;
            __threadfence();
            atomicExch(a, 0);
            done = true;
        }
}
__global__ void check(int *a) {
    if (a[1] != 32)
        __trap();
}
