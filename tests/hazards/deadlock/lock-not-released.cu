// sim --grid 1 --block 32 --arg i32*2=zero
// advises Follow the value
__global__ void k(int *a) {
    while (atomicCAS(a, 0, 1) != 0) // HAZARD deadlock error
        ;
    a[1]++;
}
// maybe global-race
// says 1 thread has left the kernel
