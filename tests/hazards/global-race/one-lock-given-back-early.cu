// sim --kernel histogram --grid 2 --block 32 --arg u8*64=uniform --arg i32*257=zero
// Every thread takes the lock, but its store comes after it has given the lock back.
extern "C" __global__ void histogram(const unsigned char* data, int* bins) {
    int* lock = bins + 256;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (bool done = false; !done;)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            int count = bins[data[i] % 2]; // HAZARD global-race error
            __threadfence();
            atomicExch(lock, 0);
            bins[data[i] % 2] = count + 1; // HAZARD global-race error
            done = true;
        }
}
