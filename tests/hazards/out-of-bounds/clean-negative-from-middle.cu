// sim --grid 1 --block 32 --arg i32*64=iota:const --arg i32*32=uninit
__global__ void k(const int *a, int *b) {
    const int *middle = a + 32;
    b[threadIdx.x] = middle[-(int)threadIdx.x - 1];
}
