// sim --device-debug --grid 2 --block 32 --arg i32*2=zero --arg i32*1=zero
// The second flag is waited for, too. An unoptimised build loads its address anew in each turn.
__device__ volatile int first;
__global__ void k(volatile int *second, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        second[0] = 5;
        first = 1;
    } else {
        while (first == 0)
            ;
        int seen;
        while ((seen = second[0]) == 0)
            ;
        *out = seen;
    }
}
