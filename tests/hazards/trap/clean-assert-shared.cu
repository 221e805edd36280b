// sim --grid 1 --block 64 --arg i32*64=iota
#include <assert.h>
__global__ void k(int *a) {
    __shared__ int s[64];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    assert(s[63 - threadIdx.x] == 63 - (int)threadIdx.x);
}
