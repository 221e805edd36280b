// sim --grid 1 --block 32 --arg i32*32=iota
// lanes that have left the kernel are not waited for
__global__ void k(int *a) {
    if (threadIdx.x >= 20)
        return;
    __syncwarp(0xfffff);
    a[threadIdx.x] = __activemask() == 0xfffff ? 1 : 0;
}
