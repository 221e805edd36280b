// As warp_a_row, but each lane keeps its 32 numbers in registers, and reads and writes four at a time.
__global__ void quantize(const float *in, signed char *out, float *scales, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float4 *from = (const float4 *)in + (size_t)row * 256;
    char4 *to = (char4 *)out + (size_t)row * 256;
    float4 own[8];
    float largest = 0.0f;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        own[i] = from[i * 32 + lane];
        largest = fmaxf(largest, fmaxf(fmaxf(fabsf(own[i].x), fabsf(own[i].y)),
                                       fmaxf(fabsf(own[i].z), fabsf(own[i].w))));
    }
    for (int step = 16; step > 0; step /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
    float factor = 127.0f / largest;
#pragma unroll
    for (int i = 0; i < 8; i++)
        to[i * 32 + lane] = make_char4(__float2int_rn(own[i].x * factor), __float2int_rn(own[i].y * factor),
                                       __float2int_rn(own[i].z * factor), __float2int_rn(own[i].w * factor));
    if (lane == 0)
        scales[row] = largest / 127.0f;
}
