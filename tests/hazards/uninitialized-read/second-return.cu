// sim --grid 1 --block 32 --arg f32*32=iota:const --arg f32*1=uninit --arg i32=20
// says what comes of it is used in line 20
__device__ __noinline__ float warp_sum(float v) {
    for (int d = 16; d; d >>= 1)
        v += __shfl_xor_sync(~0u, v, d);
    return v;
}
__device__ __noinline__ float scale(float v) {
    return sqrtf(v) * 3;
}
// both results go through the same place, the second one of a single lane
__global__ void k(const float *in, float *out, int n) {
    __shared__ float s[32];
    int t = threadIdx.x;
    if (t < n)
        s[t] = in[t];
    __syncwarp();
    float m = warp_sum(s[t]); // HAZARD uninitialized-read error
    if (t == 0)
        out[0] = scale(m);
}
