// sim --kernel give_up --grid 1 --block 32 --arg i32*1=zero --arg i32=1
// both builds
// The only thing that changes from round to round is a counter in local memory.
__device__ volatile int never;

__global__ void give_up(int *out, int which) {
    volatile int trips[3] = {0, 0, 0};
    if (threadIdx.x)
        return;
    while (!never) {
        trips[which] = trips[which] + 1;
        if (trips[which] == 3000)
            break;
    }
    out[0] = trips[which];
}

__global__ void check(const int *out, int which) {
    if (out[0] != 3000)
        __trap();
}
