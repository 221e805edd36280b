// sim --grid 2 --block 64 --arg f32*100=iota --arg f32*100=zero --arg i32=100
__global__ void k(const float *a, float *b, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n)
        return;
    b[i] = a[i];
}
