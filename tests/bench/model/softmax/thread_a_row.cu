// Softmax of rows of 512, a thread a row: three passes, lanes a row apart.
__global__ void softmax(const float *in, float *out, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    const float *from = in + (long long)row * 512;
    float *to = out + (long long)row * 512;
    float most = from[0], sum = 0.0f;
    for (int i = 1; i < 512; i++)
        most = fmaxf(most, from[i]);
    for (int i = 0; i < 512; i++)
        sum += expf(from[i] - most);
    for (int i = 0; i < 512; i++)
        to[i] = expf(from[i] - most) / sum;
}
