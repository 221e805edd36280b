// As plain, but by Stockham: every step reads one half of shared memory and writes the other, so that
// nothing has to be reversed; sine and cosine are the hardware's.
__global__ void transform(const float2 *in, float2 *out)
{
    __shared__ float2 rows[2][1024];
    size_t begin = (size_t)blockIdx.x * 1024;
    for (int i = threadIdx.x; i < 1024; i += 512)
        rows[0][i] = in[begin + i];
    __syncthreads();
    int from = 0;
    for (int half = 1; half < 1024; half *= 2) {
        int k = threadIdx.x % half;
        float sine, cosine;
        __sincosf(-3.14159265f * k / half, &sine, &cosine);
        float2 a = rows[from][threadIdx.x], b = rows[from][threadIdx.x + 512];
        float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
        int to = (threadIdx.x - k) * 2 + k;
        rows[1 - from][to] = make_float2(a.x + turned.x, a.y + turned.y);
        rows[1 - from][to + half] = make_float2(a.x - turned.x, a.y - turned.y);
        from = 1 - from;
        __syncthreads();
    }
    for (int i = threadIdx.x; i < 1024; i += 512)
        out[begin + i] = rows[from][i];
}
