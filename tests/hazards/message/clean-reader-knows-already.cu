// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*2=zero --arg i32*1=zero
// both builds
// The first flag, acquired, has announced the data; the second look tells of nothing that is read.
__global__ void k(volatile int *data, volatile int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        __threadfence();
        flag[0] = 1;
        flag[1] = 1;
        return;
    }
    while (flag[0] == 0)
        ;
    __threadfence();
    while (flag[1] == 0)
        ;
    *out = *data;
}
