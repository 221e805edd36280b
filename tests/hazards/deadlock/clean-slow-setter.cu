// sim --grid 3 --block 64 --arg i32*4=zero
// one thread works for a long time before it sets the flag; all others poll
__global__ void k(volatile int *a) {
    if (blockIdx.x == 2 && threadIdx.x == 40) {
        unsigned x = 1;
        for (int i = 0; i < 300000; i++)
            x = x * 1664525u + 1013904223u;
        a[1] = x | 1;
        __threadfence();
        a[0] = 1;
        return;
    }
    while (a[0] == 0)
        ;
}
