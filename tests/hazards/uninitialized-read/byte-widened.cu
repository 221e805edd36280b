// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*32=uninit
__global__ void k(const int *in, int *out) {
    __shared__ unsigned char s[64];
    int x = threadIdx.x;
    s[x] = in[x];
    __syncwarp();
    out[x] = s[x + 1]; // HAZARD uninitialized-read error
}
