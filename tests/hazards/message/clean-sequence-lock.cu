// sim --seed 1 --grid 4 --block 32 --arg u32*1=zero --arg i32*2=zero --arg i32*8=zero
// both builds
__global__ void k(volatile unsigned *number, volatile int *data, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        for (int i = 1; i <= 4; i++) {
            *number = 2 * i - 1;
            __threadfence();
            data[0] = i;
            data[1] = -i;
            __threadfence();
            *number = 2 * i;
        }
        return;
    }
    unsigned before;
    int a, b;
    do {
        while ((before = *number) & 1)
            ;
        __threadfence();
        a = data[0];
        b = data[1];
        __threadfence();
    } while (*number != before);
    out[blockIdx.x] = a + b;
}
