// sim --device-debug --grid 1 --block 32 --arg i32*32=iota:const --arg i32*32=uninit --arg i32=20
__device__ int same(int v) {
    return v;
}
__global__ void k(const int *in, int *out, int n) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < n)
        s[t] = in[t];
    __syncwarp();
    int m = same(s[t]); // dropped by those that have no number
    if (t == 25)
        m = same(7);
    if (t < n || t == 25)
        out[t] = m;
}
