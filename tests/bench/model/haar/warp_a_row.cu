// As shared, but a warp has a row: a lane halves four neighbours in registers, then the warp's 256 sums through
// shared memory, 8 a lane, and the last five steps by shuffles.
__global__ void transform(const float4 *in, float *out)
{
    __shared__ float sums[4][256];
    const float s = 0.70710678f;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 4 + warp;
    float *to = out + (size_t)row * 1024, own[8];
#pragma unroll
    for (int i = lane; i < 256; i += 32) {
        float4 four = in[(size_t)row * 256 + i];
        *(float2 *)(to + 512 + 2 * i) = make_float2((four.x - four.y) * s, (four.z - four.w) * s);
        float a = (four.x + four.y) * s, b = (four.z + four.w) * s;
        to[256 + i] = (a - b) * s;
        sums[warp][i] = (a + b) * s;
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 8; i++)
        own[i] = sums[warp][lane * 8 + i];
#pragma unroll
    for (int half = 4; half > 0; half /= 2)
#pragma unroll
        for (int i = 0; i < half; i++) {
            float a = own[2 * i], b = own[2 * i + 1];
            own[i] = (a + b) * s;
            to[32 * half + lane * half + i] = (a - b) * s;
        }
    float sum = own[0];
#pragma unroll
    for (int half = 16; half > 0; half /= 2) {
        float a = __shfl_sync(0xffffffffu, sum, 2 * lane), b = __shfl_sync(0xffffffffu, sum, 2 * lane + 1);
        sum = (a + b) * s;
        if (lane < half)
            to[half + lane] = (a - b) * s;
    }
    if (lane == 0)
        to[0] = sum;
}
