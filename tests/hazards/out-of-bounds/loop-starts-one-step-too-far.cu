// sim --grid 1 --block 64 --arg f32*64=iota --arg f32*1=zero
// advises Keep the index below the array's own size
// advises never if (i < n)
__global__ void k(const float *x, float *out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half]; // HAZARD out-of-bounds error
        __syncthreads();
    }
    if (t == 0)
        *out = s[0];
}
