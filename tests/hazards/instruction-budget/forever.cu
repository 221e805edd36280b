// sim --grid 2 --block 32 --arg i32*32=zero --budget 1000000
__global__ void k(int *a) {
    int i = threadIdx.x;
    while (true)
        a[i]++; // HAZARD instruction-budget error
}
// maybe global-race
