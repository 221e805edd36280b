// sim --grid 3 --block 96 --arg f32*250=iota --arg f32*3=uninit --arg i32=250
__global__ void k(const float *in, float *out, int n) {
    __shared__ float part[32];
    int x = threadIdx.x, i = blockIdx.x * 96 + x;
    float v = i < n ? in[i] : 0;
    for (int d = 16; d; d >>= 1)
        v += __shfl_xor_sync(~0u, v, d);
    if (x % 32 == 0)
        part[x / 32] = v;
    __syncthreads();
    if (x < 32) {
        float w = part[x]; // only three are set
        for (int d = 2; d; d >>= 1) {
            float o = __shfl_down_sync(~0u, w, d);
            if (x + d < 3)
                w += o;
        }
        if (x == 0)
            out[blockIdx.x] = w;
    }
}
