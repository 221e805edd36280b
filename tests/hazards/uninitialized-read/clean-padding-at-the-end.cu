// sim --grid 2 --block 32 --arg f32*64=iota --arg i32*512=uninit
struct P {
    double d;
    char c;
    float y;
    short s;
};
__global__ void k(const float *in, P *out) {
    __shared__ P s[32];
    int x = threadIdx.x, i = blockIdx.x * 32 + x;
    P p;
    p.d = in[i];
    p.c = 3;
    p.y = 2;
    p.s = x;
    s[x] = p;
    __syncwarp();
    P q = s[31 - x];
    out[i] = q;
}
