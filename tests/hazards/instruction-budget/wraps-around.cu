// sim --grid 1 --block 32 --budget 3000000 --arg u32*32=iota
// expect instruction-budget error
__global__ void k(unsigned *a) {
    unsigned sum = 0;
    for (unsigned i = 31; i >= 0; i--) // unsigned: after 0 comes 4294967295
        sum = sum * 31 + a[i % 32];
    a[threadIdx.x] = sum;
}
