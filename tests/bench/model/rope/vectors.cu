// As plain, but a thread has the same four pairs of four heads, for which it makes the angles once, and
// reads and writes sixteen bytes.
__global__ void turn(const float *in, float *out, int tokens)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int d = t % 8 * 4, heads = t / 8 % 4 * 4, token = t / 32;
    if (token >= tokens)
        return;
    float sine[4], cosine[4];
    for (int i = 0; i < 4; i++)
        sincosf(token * exp2f((d + i) * -0.41524101f), &sine[i], &cosine[i]);
    for (int head = heads; head < heads + 4; head++) {
        size_t at = (size_t)token * 1024 + head * 64 + d;
        float4 a = *(const float4 *)&in[at], b = *(const float4 *)&in[at + 32];
        *(float4 *)&out[at] = make_float4(a.x * cosine[0] - b.x * sine[0], a.y * cosine[1] - b.y * sine[1],
                                          a.z * cosine[2] - b.z * sine[2], a.w * cosine[3] - b.w * sine[3]);
        *(float4 *)&out[at + 32] =
            make_float4(a.x * sine[0] + b.x * cosine[0], a.y * sine[1] + b.y * cosine[1],
                        a.z * sine[2] + b.z * cosine[2], a.w * sine[3] + b.w * cosine[3]);
    }
}
