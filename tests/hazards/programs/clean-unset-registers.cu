// sim --grid 64 --block 64 --arg f32*64=iota --arg f32*4096=zero --arg i32=0
// what a register held that nothing has set is the same in every block and for any host thread
__global__ void k(const float *a, float *out, int n) {
    float x;
    for (int i = 0; i < n; i++)
        x = a[(i + blockIdx.x) % 64];
    out[blockIdx.x * 64 + threadIdx.x] = n > 0 ? x + a[threadIdx.x] : a[threadIdx.x];
    float y;
    if (a[blockIdx.x] > 31)
        y = a[threadIdx.x] * 3;
    if (a[blockIdx.x] > 32)
        out[blockIdx.x * 64 + threadIdx.x] = y;
}
