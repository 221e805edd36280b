// The latency of constant memory that a register addresses: one thread follows offsets.
__constant__ unsigned next[512] = {0};

__global__ void run(unsigned *out, unsigned long long *cycles)
{
    unsigned base, offset = 0;
    asm volatile("{.reg .u64 wide; cvta.to.const.u64 wide, %1; cvt.u32.u64 %0, wide;}" : "=r"(base) : "l"(next));
    for (int warm = 0; warm < 2; warm++)
        asm volatile("ld.const.u32 %0, [%1];" : "=r"(offset) : "r"(base + offset) : "memory");
    long long start = clock64();
#pragma unroll 16
    for (int j = 0; j < 2048; j++)
        asm volatile("ld.const.u32 %0, [%1];" : "=r"(offset) : "r"(base + offset) : "memory");
    long long end = clock64();
    out[threadIdx.x] = offset;
    cycles[0] = end - start;
}
