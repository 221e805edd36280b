// sim --grid 40 --block 64 --arg i32*4096=zero --arg i32*4096=zero --arg i32*2=zero --arg i32*2560=uninit
// What block 0 publishes at the start is used at the end, after more events than are remembered.
__global__ void k(int *lock, int *data, volatile int *flag, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        flag[1] = 7;
        __threadfence();
        flag[0] = 1;
    }
    while (flag[0] == 0) {
    }
    __threadfence();
    for (int turn = 0; turn < 8; turn++) {
        int at = (i * 5 + turn * 1237 * (1 + (i & 7))) % 4096;
        bool done = false;
        while (!done) {
            if (atomicCAS(&lock[at], 0, 1) == 0) {
                __threadfence();
                data[at] += 1;
                __threadfence();
                atomicExch(&lock[at], 0);
                done = true;
            }
        }
    }
    out[i] = flag[1];
}
