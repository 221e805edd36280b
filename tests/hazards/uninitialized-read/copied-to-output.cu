// sim --grid 1 --block 64 --arg f32*64=uninit --arg i32*64=iota:const
__global__ void k(float *out, const int *in) {
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < 60)
        s[t] = in[t];
    __syncthreads();
    out[t] = s[63 - t]; // HAZARD uninitialized-read error
}
