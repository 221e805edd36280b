// sim --device-debug --grid 1 --block 32 --arg i32*32=iota:const --arg i32*1=uninit --arg i32=20
__device__ int same(int v) {
    return v;
}
__device__ int thrice(int v) {
    return v * 3;
}
__global__ void k(const int *in, int *out, int n) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < n)
        s[t] = in[t];
    __syncwarp();
    int m = same(s[t]); // HAZARD uninitialized-read error
    if (t == 20)
        out[0] = thrice(m);
}
