// sim --grid 2 --block 32 --arg f32*40=iota --arg f32*40=zero --arg i32=40
__global__ void k(const float *a, float *b, int n) {
    __shared__ float s[32];
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n) {
        s[threadIdx.x] = a[i];
        __syncthreads(); // HAZARD barrier-divergence any
        b[i] = s[threadIdx.x] + s[0];
    }
}
