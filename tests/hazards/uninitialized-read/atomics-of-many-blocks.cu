// sim --grid 8 --block 128 --arg 'i32*1024=iota' --arg 'i32*1=uninit' --arg i32=6000
// Which thread is the first to add does not depend on how many host threads share the blocks, although
// the first block comes late.
extern "C" __global__ void k(const int* x, int* sum, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, value = x[i];
    for (int step = 0; step < steps && blockIdx.x == 0; step++)
        value = value * value + step;
    atomicAdd(sum, value); // HAZARD uninitialized-read error
}
