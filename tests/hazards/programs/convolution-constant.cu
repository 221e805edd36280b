// sim --grid 4 --block 64 --arg f32*256=uniform:const --arg f32*256=uninit --arg i32=256
__constant__ float mask[7] = {0.1f, 0.2f, 0.3f, 0.4f, 0.3f, 0.2f, 0.1f};
__global__ void k(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int j = 0; j < 7; j++)
        if (i + j - 3 >= 0 && i + j - 3 < n)
            sum += mask[j] * in[i + j - 3];
    out[i] = sum;
}
__global__ void check(const float *in, float *out, int n) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = -3; j <= 3; j++)
            sum += i + j >= 0 && i + j < n ? (double)in[i + j] * (4 - abs(j)) / 10 : 0;
        if (!(fabs(sum - out[i]) < 1e-6))
            __trap();
    }
}
