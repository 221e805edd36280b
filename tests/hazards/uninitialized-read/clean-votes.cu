// sim --grid 1 --block 32 --arg i32*20=iota --arg i32*32=uninit
__global__ void k(const int *in, int *out) {
    __shared__ int s[32];
    int x = threadIdx.x;
    if (x < 20)
        s[x] = in[x];
    __syncwarp();
    int v = s[x];
    unsigned b = __ballot_sync(~0u, x < 20 && v % 3 == 0);
    unsigned m = __ballot_sync(~0u, (v & 1) != 0) & 0xfffff;
    int rank = __popc(b & ((1u << x) - 1));
    int half = __shfl_sync(~0u, v, x / 2);
    out[x] = x < 20 ? rank + __popc(m) + half : 0;
}
