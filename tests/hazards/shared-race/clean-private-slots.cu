// sim --grid 2 --block 64 --arg i32*128=uninit
__global__ void k(int *b) {
    __shared__ int slot[64];
    int t = threadIdx.x;
    slot[t] = t;
#pragma unroll 1
    for (int i = 0; i < 5; i++)
        slot[t] = slot[t] * 3 + i;
    b[blockIdx.x * 64 + t] = slot[t];
}
