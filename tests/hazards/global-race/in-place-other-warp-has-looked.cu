// sim --grid 2 --block 64 --arg i32*64=iota --arg u64*6=zero --arg i32*128=zero
__device__ unsigned long long look(unsigned long long *at) {
    unsigned long long value;
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
    return value;
}
__device__ void tell(unsigned long long *at, unsigned long long value) {
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
}
// Block 1's first warp writes without waiting for the second one's look.
__global__ void k(int *data, unsigned long long *ends, int *out) {
    int mine = data[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        tell(&ends[0], 1);
    if (threadIdx.x == 32 && blockIdx.x == 1)
        while (look(&ends[0]) == 0)
            ;
    if (threadIdx.x < 32 && blockIdx.x == 1) // and long after it
        for (int i = 0; i < 3000; i++)
            mine = mine * mine + i;
    if (threadIdx.x < 32 && blockIdx.x == 1)
        data[threadIdx.x] = mine + 1; // HAZARD global-race error
    else
        out[blockIdx.x * 64 + threadIdx.x] = mine;
}
