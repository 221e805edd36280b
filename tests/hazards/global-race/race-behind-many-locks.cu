// sim --grid 40 --block 64 --arg i32*4096=zero --arg i32*4096=zero --arg i32*1=zero
// Thousands of locks are taken between the two, more than is remembered: the race is found still.
__global__ void k(int *lock, int *data, int *wrong) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 39 * 64)
        *wrong += 1; // HAZARD global-race error
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
    if (i == 0)
        *wrong += 1;
}
