// sim --grid 1 --block 32 --arch compute_80 --arg i32*2=zero
// the waiting time grows to its limit; then each round is like the one before
__global__ void k(int *a) {
    unsigned ns = 8;
    while (atomicCAS(a, 0, 1) != 0) { // HAZARD deadlock error
        __nanosleep(ns);
        if (ns < 256)
            ns *= 2;
    }
    a[1]++;
}
// maybe global-race
