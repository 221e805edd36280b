// sim --grid 2 --block 32 --arg 'i32[64]=iota' --arg 'i32[64]=zero' --arg i32=64
// advises Give each element one writer
// advises never atomic
__global__ void k(const int *x, int *y, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) // each block does all of it
        y[i] += x[i];                                 // HAZARD global-race error
}
