// sim --grid 2 --block 64 --arg i32*64=iota --arg u64*6=zero --arg i32*128=zero
__device__ unsigned long long look(unsigned long long *at) {
    unsigned long long value;
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
    return value;
}
__device__ void tell(unsigned long long *at, unsigned long long value) {
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
}
// The flag orders reads before the write that follows it, but no write before another one.
__global__ void k(int *data, unsigned long long *ends, int *out) {
    if (blockIdx.x == 0)
        data[threadIdx.x] = 1;
    __syncthreads();
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0)
            tell(&ends[0], 1);
        return;
    }
    if (threadIdx.x == 0)
        while (look(&ends[0]) == 0)
            ;
    __syncthreads();
    data[threadIdx.x] = 2; // HAZARD global-race error
}
