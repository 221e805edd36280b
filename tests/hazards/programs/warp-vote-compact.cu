// sim --grid 1 --block 32 --arg i32*320=uniform:const --arg i32*320=zero --arg i32*1=zero --arg i32=320
__global__ void k(const int *in, int *out, int *count, int n) {
    int base = 0;
    for (int i = threadIdx.x; i < n; i += 32) {
        unsigned votes = __ballot_sync(~0u, in[i] > 0);
        if (in[i] > 0)
            out[base + __popc(votes & ((1u << threadIdx.x) - 1))] = in[i];
        base += __popc(votes);
    }
    if (threadIdx.x == 0)
        *count = base;
}
__global__ void check(const int *in, int *out, int *count, int n) {
    int next = 0;
    for (int i = 0; i < n; i++)
        if (in[i] > 0 && out[next++] != in[i])
            __trap();
    if (next != *count)
        __trap();
}
