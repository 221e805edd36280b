// sim --grid 3 --block 64 --arg f32*1000=uniform:const --arg f32*1000=uninit --arg i32=1000
__global__ void k(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = i; j < n / 4; j += gridDim.x * blockDim.x)
        reinterpret_cast<float4 *>(out)[j] = __ldg(reinterpret_cast<const float4 *>(in) + j);
    if (i < n % 4)
        out[n - 1 - i] = in[n - 1 - i];
}
__global__ void check(const float *in, float *out, int n) {
    for (int i = 0; i < n; i++)
        if (out[i] != in[i])
            __trap();
}
