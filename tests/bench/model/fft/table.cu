// As plain, but sines and cosines stand in a table in shared memory, of which each thread makes one entry.
__global__ void transform(const float2 *in, float2 *out)
{
    __shared__ float2 row[1024], turns[512];
    size_t begin = (size_t)blockIdx.x * 1024;
    sincospif(-(float)threadIdx.x / 512, &turns[threadIdx.x].y, &turns[threadIdx.x].x);
    for (int i = threadIdx.x; i < 1024; i += 512)
        row[__brev(i) >> 22] = in[begin + i];
    __syncthreads();
    for (int half = 1; half < 1024; half *= 2) {
        int k = threadIdx.x % half, at = threadIdx.x / half * 2 * half + k;
        float2 turn = turns[k * (512 / half)];
        float2 a = row[at], b = row[at + half];
        float2 turned = make_float2(b.x * turn.x - b.y * turn.y, b.x * turn.y + b.y * turn.x);
        row[at] = make_float2(a.x + turned.x, a.y + turned.y);
        row[at + half] = make_float2(a.x - turned.x, a.y - turned.y);
        __syncthreads();
    }
    for (int i = threadIdx.x; i < 1024; i += 512)
        out[begin + i] = row[i];
}
