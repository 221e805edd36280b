// sim --grid 1 --block 32 --arg i32*32=iota
__global__ void k(int *a) {
    if (a[threadIdx.x] < 0)
        asm volatile("trap;");
    a[threadIdx.x] = 1;
}
