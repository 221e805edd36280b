// sim --grid 1 --block 4 --arg i32*4=iota
// advises Look for `__trap()` at that line
__constant__ int table[4];
__global__ void k(const int *in) {
    if (in[threadIdx.x] > 2)
        __trap(); // HAZARD trap error
    if (in[threadIdx.x] > 7)
        table[threadIdx.x] = 1;
}
