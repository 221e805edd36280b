// Softmax of rows of 512, a block of 128 a row, two trees in shared memory.
__global__ void softmax(const float *in, float *out, int rows)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    const float *from = in + (long long)blockIdx.x * 512;
    float *to = out + (long long)blockIdx.x * 512;
    float most = -3.0e38f, sum = 0.0f;
    for (int i = t; i < 512; i += 128)
        most = fmaxf(most, from[i]);
    s[t] = most;
    __syncthreads();
    for (int d = 64; d > 0; d /= 2) {
        if (t < d)
            s[t] = fmaxf(s[t], s[t + d]);
        __syncthreads();
    }
    most = s[0];
    __syncthreads();
    for (int i = t; i < 512; i += 128)
        sum += expf(from[i] - most);
    s[t] = sum;
    __syncthreads();
    for (int d = 64; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    sum = s[0];
    for (int i = t; i < 512; i += 128)
        to[i] = expf(from[i] - most) / sum;
}
