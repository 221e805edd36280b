// sim --grid 1 --block 64 --arg i32*64=iota --arg i32*64=uninit
__global__ void k(const int *in, int *out) {
    __shared__ int s[64], t[64];
    int x = threadIdx.x;
    if (x < 60)
        s[x] = in[x];
    __syncthreads();
    t[x] = 2 * s[x] + 1; // HAZARD uninitialized-read error
    __syncthreads();
    out[x] = t[63 - x];
}
