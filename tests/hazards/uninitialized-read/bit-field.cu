// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*32=uninit
// both builds
struct B {
    unsigned a : 3, b : 7, c : 1, d : 9;
};
__global__ void k(const int *in, int *out) {
    __shared__ B s[32];
    int x = threadIdx.x;
    s[x].a = in[x];
    s[x].b = in[x] * 3;
    s[x].d = 4;
    __syncwarp();
    B b = s[31 - x]; // HAZARD uninitialized-read error
    if (b.c)
        out[x] = 1;
    else
        out[x] = b.a;
}
