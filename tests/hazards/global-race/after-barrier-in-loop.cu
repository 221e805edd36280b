// sim --grid 1 --block 64 --arg i32*64=iota --arg i32*64=zero
// advises `__syncthreads()` between one
// says no barrier orders them
__global__ void k(int *a, int *b) {
    int t = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < 3; i++) {
        __syncthreads();
        if (t >= 32)
            a[t] = t + i;
        else if (i == 2) // the last to come goes on first
            b[t] = a[63 - t]; // HAZARD global-race error
    }
}
