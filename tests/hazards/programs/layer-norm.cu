// sim --grid 4 --block 32 --arg f32*400=uniform:const --arg f32*400=uninit --arg i32=100
__global__ void k(const float *in, float *out, int n) {
    const float *x = in + blockIdx.x * n;
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < n; i += 32) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_xor_sync(~0u, sum, d);
        squares += __shfl_xor_sync(~0u, squares, d);
    }
    float mean = sum / n, scale = rsqrtf(squares / n - mean * mean + 1e-5f);
    for (int i = threadIdx.x; i < n; i += 32)
        out[blockIdx.x * n + i] = (x[i] - mean) * scale;
}
__global__ void check(const float *in, float *out, int n) {
    for (int r = 0; r < 4; r++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < n; i++) {
            sum += in[r * n + i];
            squares += (double)in[r * n + i] * in[r * n + i];
        }
        double mean = sum / n, sd = sqrt(squares / n - mean * mean + 1e-5);
        for (int i = 0; i < n; i++)
            if (!(fabs((in[r * n + i] - mean) / sd - out[r * n + i]) < 1e-5))
                __trap();
    }
}
