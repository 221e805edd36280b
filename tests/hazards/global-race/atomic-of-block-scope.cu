// sim --grid 6 --block 96 --arg i32*576=iota:const --arg i32*4=zero
// advises in place of what has the scope of a block
// says atomicMax_block() is atomic only among the threads of one block; between blocks use atomicMax()
__global__ void k(const int *a, int *most) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax_block(&most[i % 4], a[i]); // HAZARD global-race error
}
