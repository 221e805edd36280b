// sim --grid 8 --block 32 --arg i32*256=iota
#include <assert.h>
__global__ void k(int *a) {
    int i = blockIdx.x * 32 + threadIdx.x;
    assert(a[i] != 70); // HAZARD trap error
    a[i] = -1;
}
