// 512 fused multiply-adds in double precision, four chains.
__global__ void compute(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = in[i], a = x, b = x + 1, c = x + 2, d = x + 3;
#pragma unroll 16
    for (int j = 0; j < 128; j++) {
        a = a * x + 0.5;
        b = b * x + 0.5;
        c = c * x + 0.5;
        d = d * x + 0.5;
    }
    out[i] = (float)(a + b + c + d);
}
