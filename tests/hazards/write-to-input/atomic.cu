// sim --grid 1 --block 32 --arg i32*32=iota:const
__global__ void k(int *a) {
    atomicAdd(a + threadIdx.x, 1); // HAZARD write-to-input error
}
