// Chains of one instruction: 2048 a thread. One chain in one warp shows its latency, several chains in
// many warps its throughput. TYPE, CONSTRAINT, OP and CHAINS come from the table.
__global__ void run(TYPE *out, unsigned long long *cycles, TYPE a)
{
    TYPE x[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        x[c] = (TYPE)(threadIdx.x + c + 1) * a;
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int j = 0; j < 64; j++)
#pragma unroll
        for (int u = 0; u < 32 / CHAINS; u++)
#pragma unroll
            for (int c = 0; c < CHAINS; c++)
                asm volatile(OP : "+" CONSTRAINT(x[c]) : CONSTRAINT(a));
    __syncthreads();
    long long end = clock64();
    TYPE sum = 0;
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        sum += x[c];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = end - start;
}
