// Nothing but 64 base-2 exponentials of the special function unit, in two chains.
__global__ void compute(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i], y = x + 0.25f;
#pragma unroll 8
    for (int j = 0; j < 32; j++) {
        asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
        asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(y));
    }
    out[i] = x + y;
}
