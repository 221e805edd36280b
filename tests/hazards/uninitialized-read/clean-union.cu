// sim --grid 1 --block 32 --arg f32*32=iota --arg f32*64=uninit
union U {
    float f;
    int i;
    struct {
        unsigned short lo, hi;
    } h;
    unsigned char b[8];
};
__global__ void k(const float *in, float *out) {
    __shared__ U s[32];
    int x = threadIdx.x;
    s[x].f = in[x];
    __syncwarp();
    U u = s[31 - x];
    int e = (u.i >> 23 & 255) - 127;
    out[x] = u.f + e + u.h.hi;
    out[32 + x] = __int_as_float(u.i & 0x7fffffff);
}
