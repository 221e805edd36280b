// sim --grid 1 --block 32 --arg i32*32=iota
__global__ void k(int *a) {
    switch (a[threadIdx.x] % 4) {
    case 0: a[threadIdx.x] = 5; break;
    case 1: a[threadIdx.x] = 6; break;
    case 2: a[threadIdx.x] = 7; break;
    default: __trap(); // HAZARD trap error
    }
}
