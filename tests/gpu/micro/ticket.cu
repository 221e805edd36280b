// One thread of a block takes a number from a counter, and all threads wait for it: what atomics cost
// that are waited for. LOCAL: half of the threads, here and there, take a number
// within their block first, from shared memory.
__global__ void run(unsigned *counter, unsigned *out, unsigned long long *cycles)
{
    __shared__ unsigned own, first;
    unsigned place = threadIdx.x;
    long long start = clock64();
    if (threadIdx.x == 0)
        own = 0;
    __syncthreads();
#if LOCAL
    if (threadIdx.x * 2654435761u >> 16 & 1)
        place = atomicAdd(&own, 1u);
    __syncthreads();
#endif
    if (threadIdx.x == 0)
        first = atomicAdd(counter, LOCAL ? own : blockDim.x);
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = first + place;
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
}
