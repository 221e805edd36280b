// sim --grid 2 --block 1 --arg i32*1=zero --arg i32*2=zero
// what the other block writes is read without waiting for it
__global__ void k(volatile int *cell, int *out) {
    if (blockIdx.x == 0)
        *cell = 5;
    else
        out[1] = *cell + 1; // HAZARD global-race error
}
