// The Fourier transforms of rows of 1024 complex numbers, a block a row: they come in the order of their
// reversed index, then ten steps of butterflies follow in shared memory, each thread one a step, with
// sine and cosine where they are needed.
__global__ void transform(const float2 *in, float2 *out)
{
    __shared__ float2 row[1024];
    size_t begin = (size_t)blockIdx.x * 1024;
    for (int i = threadIdx.x; i < 1024; i += 512)
        row[__brev(i) >> 22] = in[begin + i];
    __syncthreads();
    for (int half = 1; half < 1024; half *= 2) {
        int k = threadIdx.x % half, at = threadIdx.x / half * 2 * half + k;
        float sine, cosine;
        sincosf(-3.14159265f * k / half, &sine, &cosine);
        float2 a = row[at], b = row[at + half];
        float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
        row[at] = make_float2(a.x + turned.x, a.y + turned.y);
        row[at + half] = make_float2(a.x - turned.x, a.y - turned.y);
        __syncthreads();
    }
    for (int i = threadIdx.x; i < 1024; i += 512)
        out[begin + i] = row[i];
}
