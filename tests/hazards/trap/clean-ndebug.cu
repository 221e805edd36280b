// sim --grid 1 --block 32 --arg i32*32=iota --define NDEBUG
#include <assert.h>
__global__ void k(int *a) {
    assert(a[threadIdx.x] == 3);
    a[threadIdx.x] = 0;
}
