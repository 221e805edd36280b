// sim --grid 1 --block 32 --arg i32*32=iota
// says a[i] < 20
#include <assert.h>
__global__ void k(int *a) {
    int i = threadIdx.x;
    assert(a[i] < 20); // HAZARD trap error
    a[i] = 0;
}
