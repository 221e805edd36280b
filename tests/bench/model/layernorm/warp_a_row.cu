// As thread_a_row, but a warp a row: each lane keeps two float4, shuffles join the sums.
__global__ void normalize(const float4 *in, float4 *out, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float4 a = in[row * 64 + lane], b = in[row * 64 + 32 + lane];
    float sum = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
    float squares = a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w + b.x * b.x + b.y * b.y +
                    b.z * b.z + b.w * b.w;
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
        squares += __shfl_xor_sync(0xffffffffu, squares, d);
    }
    float mean = sum / 256, scale = rsqrtf(squares / 256 - mean * mean + 1.0e-5f);
    out[row * 64 + lane] = make_float4((a.x - mean) * scale, (a.y - mean) * scale,
                                       (a.z - mean) * scale, (a.w - mean) * scale);
    out[row * 64 + 32 + lane] = make_float4((b.x - mean) * scale, (b.y - mean) * scale,
                                            (b.z - mean) * scale, (b.w - mean) * scale);
}
