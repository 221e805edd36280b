// sim --grid 1 --block 32 --arg i32*2=zero --budget 1000000
__global__ void k(int *a) {
    while (atomicCAS(a, 0, 1) != 0) // HAZARD instruction-budget error
        ;
    a[1]++;
}
// maybe global-race
