// sim --grid 1 --block 32 --arg i32*32=iota:const --arg i32*32=uninit --arg i32=20
// no lane that has a number finds what it looks for
__global__ void k(const int *in, int *out, int n) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < n)
        s[t] = in[t];
    __syncwarp();
    unsigned found = __ballot_sync(~0u, s[t] == 77); // HAZARD uninitialized-read error

    out[t] = __ffs(found);
}
