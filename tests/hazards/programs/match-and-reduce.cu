// sim --grid 1 --block 32 --arg i32*32=iota:const --arg u32*96=uninit
__global__ void k(const int *a, unsigned *b) {
    int x = a[threadIdx.x] % 5;
    unsigned same = __match_any_sync(~0u, x);
    b[threadIdx.x] = same;
    b[32 + threadIdx.x] = __reduce_add_sync(same, a[threadIdx.x]);
    b[64 + threadIdx.x] = __reduce_max_sync(~0u, (unsigned)a[threadIdx.x]);
}
__global__ void check(const int *a, unsigned *b) {
    for (int i = 0; i < 32; i++) {
        unsigned same = 0, sum = 0;
        for (int j = i % 5; j < 32; j += 5) {
            same |= 1u << j;
            sum += j;
        }
        if (b[i] != same || b[32 + i] != sum || b[64 + i] != 31)
            __trap();
    }
}
