// sim --grid 40 --block 64 --arg i32*4096=zero --arg i32*4096=zero --arg i32*1=zero
// expect unsupported error
// The last block may know of the first only through thousands of locks, more than is remembered:
// nothing is reported that may be ordered, and that something may be missing is said.
__global__ void k(int *lock, int *data, int *maybe) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
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
    if (i == 0 || i == 39 * 64)
        *maybe += 1;
}
