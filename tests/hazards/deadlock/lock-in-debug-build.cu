// sim --grid 1 --block 32 --device-debug --arg i32*2=zero
// expect deadlock error
// without optimisation each try is a call: its return must not count as something new
__global__ void k(int *a) {
    while (atomicCAS(a, 0, 1) != 0)
        ;
    a[1]++;
}
// maybe global-race
