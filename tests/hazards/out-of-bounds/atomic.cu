// sim --grid 1 --block 32 --arg i32*16=zero
__global__ void k(int *a) {
    atomicAdd(&a[threadIdx.x], 1); // HAZARD out-of-bounds error
}
