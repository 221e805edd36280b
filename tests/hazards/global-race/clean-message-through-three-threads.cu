// sim --grid 2 --block 64 --arg i32*1=zero --arg i32*2=zero --arg i32*1=uninit
// The first thread tells its neighbour by fences of block scope; what the neighbour has learnt it
// may tell all others.
__global__ void k(int *message, int *flag, int *out) {
    int t = threadIdx.x;
    if (blockIdx.x == 0 && t == 0) {
        *message = 9;
        __threadfence_block();
        atomicExch_block(&flag[0], 1);
    }
    if (blockIdx.x == 0 && t == 32) {
        while (atomicAdd_block(&flag[0], 0) == 0)
            ;
        __threadfence();
        atomicExch(&flag[1], 1);
    }
    if (blockIdx.x == 1 && t == 0) {
        while (atomicAdd(&flag[1], 0) == 0)
            ;
        *out = *message;
    }
}
__global__ void check(int *message, int *flag, int *out) {
    if (*out != 9)
        __trap();
}
