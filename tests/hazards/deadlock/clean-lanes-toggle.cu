// sim --grid 1 --block 32 --arg i32*2=zero
// lanes give a token round within one warp, by compare-and-swap on one word
__global__ void k(int *a) {
    int lane = threadIdx.x;
    for (int round = 0; round < 50; round++)
        while (atomicCAS(a, lane, (lane + 1) % 32) != lane)
            ;
    if (lane == 31)
        a[1] = 1;
}
__global__ void check(int *a) {
    if (a[1] != 1)
        __trap();
}
