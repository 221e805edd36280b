// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*32=uninit
__global__ void k(const int *in, int *out) {
    __shared__ int s[32];
    int x = threadIdx.x;
    if (x < 31)
        s[x] = in[x];
    __syncwarp();
    out[s[x] & 31] = x; // HAZARD uninitialized-read error
    // maybe global-race
}
