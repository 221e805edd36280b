// sim --grid 1 --block 32 --device-debug --arg i32*32=iota
__global__ void k(int *a) {
    if (a[threadIdx.x] > 40)
        a[0] = 1;
    else
        __trap(); // HAZARD trap error
}
