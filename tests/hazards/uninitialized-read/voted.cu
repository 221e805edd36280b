// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*32=uninit
__global__ void k(const int *in, int *out) {
    __shared__ int s[32];
    int x = threadIdx.x;
    if (x != 5)
        s[x] = in[x];
    __syncwarp();
    int v = s[x]; // HAZARD uninitialized-read error
    unsigned b = __ballot_sync(~0u, v > 3);
    out[x] = __popc(b);
}
