// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*2=zero
// The progress is shown whether or not it is the last: any value will do.
__global__ void k(volatile int *progress, volatile int *stop, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *progress = 7;
        *stop = 1;
        return;
    }
    if (*stop)
        out[1] = 1;
    out[0] = *progress;
}
