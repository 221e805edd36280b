// As plain, but a thread turns a whole head.
__global__ void turn(const float *in, float *out, int tokens)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= tokens * 16)
        return;
    int token = t / 16;
    size_t begin = (size_t)t * 64;
    for (int d = 0; d < 32; d++) {
        float sine, cosine;
        sincosf(token * powf(10000.0f, -d / 32.0f), &sine, &cosine);
        float a = in[begin + d], b = in[begin + d + 32];
        out[begin + d] = a * cosine - b * sine;
        out[begin + d + 32] = a * sine + b * cosine;
    }
}
