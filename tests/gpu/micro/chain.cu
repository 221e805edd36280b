// A chain of blocks: each waits for the word of the one before it and then shows its own. How long a link
// takes depends on how a thread polls (a load, or an atomic with ADDS; PAUSE nanoseconds between), how it
// shows its word (SHOW: a store, one after a fence, an exchange, an addition), how far the words lie apart
// (APART words of 8 bytes) and, with WHOLE, on a block that waits as a whole and lets its last thread show it.
__global__ void run(unsigned long long *words, unsigned *ticket, unsigned *out)
{
    __shared__ unsigned drawn;
    if (threadIdx.x == 0)
        drawn = atomicAdd(ticket, 1u);
    __syncthreads();
    unsigned tile = drawn;
    unsigned long long *before = words + (tile - 1ull) * APART, *own = words + (unsigned long long)tile * APART;
    if (threadIdx.x == 0 && tile > 0)
        while ((ADDS ? atomicAdd(before, 0ull) : *(volatile unsigned long long *)before) == 0) {
#if PAUSE
            __nanosleep(PAUSE);
#endif
        }
#if WHOLE
    __syncthreads();
#endif
    if (threadIdx.x == (WHOLE ? blockDim.x - 1 : 0)) {
        if (SHOW == 2)
            atomicExch(own, 1ull);
        else if (SHOW == 3)
            atomicAdd(own, 1ull);
        else {
            if (SHOW == 1)
                __threadfence();
            *(volatile unsigned long long *)own = 1;
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile;
}
