// Much that threads know of each other: every element is a counter with a lock of its own.
__global__ void locks(int *lock, int *data, int n, int turns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int turn = 0; turn < turns; turn++) {
        int at = (i + turn * 4103) % n;
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
}
