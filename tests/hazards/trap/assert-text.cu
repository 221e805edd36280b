// sim --grid 1 --block 32 --arg i32*32=iota
// says index is small
#include <assert.h>
__global__ void k(int *a) {
    assert(a[threadIdx.x] < 20 && "index is small"); // HAZARD trap error
}
