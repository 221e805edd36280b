// sim --grid 1 --block 64 --arg f32*40=iota --arg f32*40=zero --arg i32=40
// advises in place of the `return`
__global__ void k(const float *a, float *b, int n) {
    __shared__ float s[64];
    int i = threadIdx.x;
    if (i >= n)
        return;
    s[i] = a[i];
    __syncthreads(); // HAZARD barrier-divergence warning
    b[i] = s[n - 1 - i];
}
