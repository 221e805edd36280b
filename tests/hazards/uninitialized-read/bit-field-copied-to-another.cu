// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*32=uninit
// within a byte of which other bits are set
struct fields {
    unsigned a : 3, b : 2, c : 3;
};
__global__ void k(const int *in, int *out) {
    __shared__ fields s[32];
    int t = threadIdx.x;
    s[t].a = in[t];
    s[t].c = 1;
    __syncwarp();
    fields f = s[31 - t]; // HAZARD uninitialized-read error
    out[t] = f.a + f.c == 3 ? f.b : f.a;
}
