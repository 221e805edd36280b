// sim --grid 1 --block 32 --arg i32*32=iota --arg f32*32=uninit
struct V3 {
    float x, y, z;
};
__device__ __noinline__ float len(V3 v) {
    return v.x * v.x + v.y * v.y + v.z * v.z;
}
__global__ void k(const int *in, float *out) {
    V3 v[4];
    int x = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        v[in[i] & 3].x = x;
        v[in[i] & 3].y = 1;
        if (i < 3)
            v[in[i] & 3].z = 2;
    }
    out[x] = len(v[in[x] & 3]); // HAZARD uninitialized-read error
}
