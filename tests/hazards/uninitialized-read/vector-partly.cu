// sim --grid 1 --block 32 --arg f32*128=iota --arg f32*32=zero
// says read of 16 bytes at a[28], of which nothing has written a[30] yet
__global__ void k(const float *in, float *out) {
    __shared__ __align__(16) float a[128];
    int t = threadIdx.x;
    if (t < 30)
        a[t] = in[t];
    __syncthreads();
    if (t < 8) {
        float4 v = ((float4 *)a)[t]; // HAZARD uninitialized-read error
        out[t] = v.x + v.y + v.z + v.w;
    }
}
