// sim --grid 1 --block 32 --budget 3000000 --arg u32*32=iota
// expect instruction-budget error
__global__ void k(unsigned *a) {
    unsigned x = a[threadIdx.x], steps = 0;
    while (x != 1) { // zero never gets there
        x = x & 1 ? 3 * x + 1 : x / 2;
        steps++;
    }
    a[threadIdx.x] = steps;
}
