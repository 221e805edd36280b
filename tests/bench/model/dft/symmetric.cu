// As table, but a block has four rows, a thread a frequency of the lower half in all four: of numbers that are
// real the upper half is the lower one's mirror.
__global__ void transform(const float *in, float2 *out)
{
    __shared__ float4 rows[256];
    __shared__ float2 turns[256];
    const float *from = in + (size_t)blockIdx.x * 1024;
    float2 *to = out + (size_t)blockIdx.x * 1024;
    int k = threadIdx.x;
    for (int t = k; t < 256; t += 128) {
        rows[t] = make_float4(from[t], from[256 + t], from[512 + t], from[768 + t]);
        sincospif(-t / 128.0f, &turns[t].y, &turns[t].x);
    }
    __syncthreads();
    float real[4] = {0}, imaginary[4] = {0}, middle[4] = {0};
    for (int t = 0; t < 256; t++) {
        float2 turn = turns[k * t % 256];
        float4 four = rows[t];
        float values[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int row = 0; row < 4; row++) {
            real[row] += values[row] * turn.x;
            imaginary[row] += values[row] * turn.y;
            middle[row] += t % 2 ? -values[row] : values[row];
        }
    }
    for (int row = 0; row < 4; row++) {
        to[row * 256 + k] = make_float2(real[row], imaginary[row]);
        to[row * 256 + (k ? 256 - k : 128)] =
            k ? make_float2(real[row], -imaginary[row]) : make_float2(middle[row], 0.0f);
    }
}
