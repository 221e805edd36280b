// sim --grid 8 --block 128 --arg f32*3200=uniform:const --arg f32*100=uniform:const --arg f32*32=uninit --arg i32=100
__global__ void k(const float *m, const float *x, float *y, int n) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    float sum = 0;
    for (int i = lane; i < n; i += 32)
        sum = fmaf(m[row * n + i], x[i], sum);
    for (int d = 16; d; d >>= 1)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0)
        y[row] = sum;
}
__global__ void check(const float *m, const float *x, float *y, int n) {
    for (int r = 0; r < 32; r++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += (double)m[r * n + i] * x[i];
        if (!(fabs(sum - y[r]) < 1e-5))
            __trap();
    }
}
