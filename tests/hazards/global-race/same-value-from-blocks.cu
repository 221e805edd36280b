// sim --grid 4 --block 32 --arg i32*128=iota:const --arg i32*1=zero
// says both write the same value
__global__ void k(const int *a, int *b) {
    if (a[blockIdx.x * 32 + threadIdx.x] >= 0)
        *b = 1; // HAZARD global-race warning
}
