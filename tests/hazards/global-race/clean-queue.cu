// sim --grid 2 --block 64 --arg u32*128=uniform:const --arg u32*128=zero --arg u32*1=zero
__global__ void k(const unsigned *a, unsigned *queue, unsigned *count) {
    unsigned x = a[blockIdx.x * 64 + threadIdx.x];
    if (x & 1)
        queue[atomicAdd(count, 1)] = x;
}
