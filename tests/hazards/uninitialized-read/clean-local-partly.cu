// sim --grid 1 --block 32 --arg i32*32=iota:const --arg i32*32=uninit
__global__ void k(const int *a, int *b) {
    int local[8];
    for (int i = 0; i < 4; i++)
        local[i] = a[threadIdx.x] * i;
    b[threadIdx.x] = local[a[threadIdx.x] & 3];
}
