// sim --grid 1 --block 32 --arg i32*32=iota
__global__ void k(int *a) {
    if (threadIdx.x > 3)
        asm volatile("exit;");
    a[threadIdx.x] = 9;
}
