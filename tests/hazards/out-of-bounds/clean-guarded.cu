// sim --grid 3 --block 32 --arg f32*70=iota --arg f32*70=zero --arg i32=70
__global__ void k(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[i] + (i + 1 < n ? a[i + 1] : 0.0f);
}
