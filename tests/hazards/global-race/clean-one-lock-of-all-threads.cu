// sim --kernel histogram --grid 64 --block 256 --arg u8*16384=uniform --arg i32*257=zero
// Whoever adds to a bin had the lock hundreds of threads after the last one who did: that is known
// without a search along all of them, which would reach what is forgotten.
extern "C" __global__ void histogram(const unsigned char* data, int* bins) {
    int* lock = bins + 256;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (bool done = false; !done;)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            bins[data[i]]++;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}
