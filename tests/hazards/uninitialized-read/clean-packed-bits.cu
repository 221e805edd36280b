// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*32=uninit
// only the bits that are set are ever looked at
__global__ void k(const int *in, unsigned *out) {
    __shared__ unsigned s[32];
    int x = threadIdx.x;
    unsigned w = s[x];
    w = (w & ~0xfffu) | (in[x] & 0xfff);
    w = (w & ~(0xffu << 12)) | ((in[x] & 0xff) << 12);
    s[x] = w;
    __syncwarp();
    unsigned v = s[31 - x];
    if ((v & 0xf) == 3)
        v |= 1;
    out[x] = ((v >> 12) & 0xff) + (v & 0xfff) + __popc(v & 0xff);
}
