// sim --grid 1 --block 32 --arg f32*32=iota --arg f32*32=uninit --arg f32=3
struct Opt {
    bool has;
    float v;
};
__device__ Opt find(const float *a, int n, float t) {
    Opt o;
    o.has = false;
    for (int i = 0; i < n; i++)
        if (a[i] > t) {
            o.has = true;
            o.v = a[i];
            break;
        }
    return o;
}
struct V3 {
    float x, y, z;
    __device__ V3() {
    }
    __device__ V3(float a, float b, float c) : x(a), y(b), z(c) {
    }
};
__device__ V3 pick(bool c, V3 a, V3 b) {
    return c ? a : b;
}
__global__ void k(const float *in, float *out, float t) {
    Opt o = find(in, threadIdx.x, t);
    V3 un;
    V3 z(1, 2, 3);
    V3 r = pick(o.has, z, un);
    float v = o.has ? o.v + r.y : -1;
    out[threadIdx.x] = v;
}
