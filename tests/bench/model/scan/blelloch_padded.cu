// As blelloch, with a word of padding after each 32 words.
#define AT(i) ((i) + ((i) >> 5))

__global__ void scan(const int *in, int *out, int n)
{
    __shared__ int s[512 + 16];
    int t = threadIdx.x, base = blockIdx.x * 512;
    s[AT(t)] = base + t < n ? in[base + t] : 0;
    s[AT(t + 256)] = base + t + 256 < n ? in[base + t + 256] : 0;
    int offset = 1;
    for (int d = 256; d > 0; d /= 2, offset *= 2) {
        __syncthreads();
        if (t < d)
            s[AT(offset * (2 * t + 2) - 1)] += s[AT(offset * (2 * t + 1) - 1)];
    }
    if (t == 0)
        s[AT(511)] = 0;
    for (int d = 1; d < 512; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            int a = AT(offset * (2 * t + 1) - 1), b = AT(offset * (2 * t + 2) - 1);
            int value = s[a];
            s[a] = s[b];
            s[b] += value;
        }
    }
    __syncthreads();
    if (base + t < n)
        out[base + t] = s[AT(t)];
    if (base + t + 256 < n)
        out[base + t + 256] = s[AT(t + 256)];
}
