// sim --grid 1 --block 32 --arg i32*32=iota:const --arg i32*32=uninit --arg i32=20
// the lanes that have no number come after the last that has
__global__ void k(const int *in, int *out, int n) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < n)
        s[t] = in[t];
    __syncwarp();
    unsigned found = __ballot_sync(~0u, s[t] > 3); // HAZARD uninitialized-read error

    out[t] = 31 - __clz(found);
}
