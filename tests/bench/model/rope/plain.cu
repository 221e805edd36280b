// Turns the queries of tokens by their places (rotary embedding): a head's numbers d and d + 32 are turned
// by the token's place times 10000 to the power of -d / 32; 16 heads of 64 numbers, a thread a pair, in
// which every thread makes its angle.
__global__ void turn(const float *in, float *out, int tokens)
{
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    if (pair >= tokens * 512)
        return;
    int d = pair % 32, head = pair / 32 % 16, token = pair / 512;
    float sine, cosine;
    sincosf(token * powf(10000.0f, -d / 32.0f), &sine, &cosine);
    size_t at = (size_t)token * 1024 + head * 64 + d;
    float a = in[at], b = in[at + 32];
    out[at] = a * cosine - b * sine;
    out[at + 32] = a * sine + b * cosine;
}
