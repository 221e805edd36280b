// sim --grid 1 --block 32 --arg i32*32=iota
// says 17
#include <assert.h>
__global__ void k(int *a) {
    assert(a[threadIdx.x] != 17); // HAZARD trap error
    a[threadIdx.x] = 0;
}
