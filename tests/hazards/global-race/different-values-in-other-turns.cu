// sim --grid 1 --block 2 --arg i32*64=zero --arg i32=5
// both builds
// Element 4 gets 1 from thread 1 in the first turn, and 9 from thread 0 in the last one, when thread
// 1 writes 9 as well, but to element 8.
__global__ void k(int *a, int n) {
#pragma unroll 1
    for (int i = 0; i < n; i++)
        a[4 * threadIdx.x + i] = i == 4 ? 9 : threadIdx.x; // HAZARD global-race error
}
