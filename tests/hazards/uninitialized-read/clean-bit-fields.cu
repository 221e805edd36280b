// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*32=uninit --arg i32*32=uninit
// both builds
struct B {
    unsigned a : 3, b : 7, c : 1, d : 9;
};
__global__ void k(const int *in, B *out, int *o2) {
    __shared__ B s[32];
    int x = threadIdx.x;
    s[x].a = in[x];
    s[x].b = in[x] * 3;
    __syncwarp();
    s[x].c = x & 1;
    s[x].d = in[x] + 7;
    __syncwarp();
    B b = s[31 - x];
    b.a = b.a + 1;
    out[x] = b;
    __syncwarp();
    s[x].d = s[x].d ^ 5;
    out[x].c = 0;
    o2[x] = out[x].a + out[x].b + s[x].d;
}
