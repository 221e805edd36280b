// sim --grid 1 --block 32 --arg i32*32=iota
#include <assert.h>
__global__ void k(int *a) {
    assert(a[threadIdx.x] == threadIdx.x);
    a[threadIdx.x] = 0;
}
