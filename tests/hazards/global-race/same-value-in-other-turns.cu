// sim --grid 1 --block 2 --arg i32*64=zero --arg i32=5
// says both write the same value
// both builds
// Element 4 gets 4 from thread 1 in the first turn, and from thread 0 in the last one, when thread 1
// writes 8 to element 8.
__global__ void k(int *a, int n) {
#pragma unroll 1
    for (int i = 0; i < n; i++)
        a[4 * threadIdx.x + i] = 4 * threadIdx.x + i; // HAZARD global-race warning
}
