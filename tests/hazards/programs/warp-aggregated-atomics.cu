// sim --grid 2 --block 64 --arg i32*128=iota:const --arg i32*4=zero
__global__ void k(const int *a, int *counts) {
    int bin = a[blockIdx.x * 64 + threadIdx.x] & 3;
    unsigned peers = __match_any_sync(__activemask(), bin);
    if ((threadIdx.x & 31) == __ffs(peers) - 1)
        atomicAdd(&counts[bin], __popc(peers));
}
__global__ void check(const int *a, int *counts) {
    for (int i = 0; i < 4; i++)
        if (counts[i] != 32)
            __trap();
}
