// sim --device-debug --kernel toggle --grid 1 --block 64 --arg i32*2=zero
// Two warps hand a turn to and fro; each tells by a local variable which turn is its next.
__global__ void toggle(int *out) {
    __shared__ int turn;
    if (threadIdx.x == 0)
        turn = 0;
    __syncthreads();
    int mine = threadIdx.x / 32;
    if (threadIdx.x % 32)
        return;
    for (int next = mine; next < 600; next += 2) {
        while (atomicAdd(&turn, 0) != next)
            __nanosleep(20);
        __threadfence_block();
        out[mine]++;
        __threadfence_block();
        atomicExch(&turn, next + 1);
    }
}

__global__ void check(const int *out) {
    if (out[0] != 300 || out[1] != 300)
        __trap();
}
