// sim --grid 4 --block 128 --arg u32*2048=iota:const --arg u32*64=zero --arg u32*16=uninit --arg u32*1=zero
__global__ void k(const unsigned *a, unsigned *part, unsigned *out, unsigned *done) {
    __shared__ bool last;
    unsigned *mine = part + 16 * blockIdx.x, t = threadIdx.x;
    for (unsigned i = blockIdx.x * 512 + t; i < blockIdx.x * 512 + 512; i += 128)
        atomicAdd_block(&mine[a[i] * 7 % 16], 1u);
    __syncthreads();
    if (t == 0) {
        __threadfence();
        last = atomicAdd(done, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    for (unsigned bin = t; last && bin < 16; bin += 128) {
        unsigned sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += part[16 * b + bin];
        out[bin] = sum;
    }
}
__global__ void check(const unsigned *a, unsigned *part, unsigned *out, unsigned *done) {
    for (int bin = 0; bin < 16; bin++)
        if (out[bin] != 128)
            __trap();
}
