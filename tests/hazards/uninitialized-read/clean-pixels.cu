// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*32=uninit --arg f32*32=uninit
struct px {
    unsigned char r, g, b;
};
__global__ void k(const int *in, uchar4 *out, float *f) {
    __shared__ uchar4 s[32];
    __shared__ px t[32];
    int x = threadIdx.x;
    s[x].x = in[x];
    s[x].y = 1;
    s[x].z = 2;
    t[x].r = 1;
    t[x].g = x;
    t[x].b = 3;
    __syncwarp();
    uchar4 a = s[31 - x], b = s[x];
    px p = t[31 - x];
    px q = p;
    out[x] = x & 1 ? a : b;
    f[x] = (a.x * 77 + a.y * 151 + a.z * 28) / 256 + q.r + q.g + q.b;
}
