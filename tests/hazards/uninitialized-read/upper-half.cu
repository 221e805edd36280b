// sim --grid 1 --block 32 --arg i32*32=iota --arg i64*32=uninit
__global__ void k(const int *in, long long *out) {
    __shared__ long long s[32];
    int x = threadIdx.x;
    ((int *)s)[2 * x] = in[x];
    __syncwarp();
    long long v = s[x]; // HAZARD uninitialized-read error
    out[x] = v + 1;
}
