// Rows of 1024 numbers become bytes: a row's largest becomes 127, and what it was is kept; a thread a row.
__global__ void quantize(const float *in, signed char *out, float *scales, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    const float *from = in + (size_t)row * 1024;
    signed char *to = out + (size_t)row * 1024;
    float largest = 0.0f;
    for (int i = 0; i < 1024; i++)
        largest = fmaxf(largest, fabsf(from[i]));
    for (int i = 0; i < 1024; i++)
        to[i] = (signed char)rintf(from[i] * 127.0f / largest);
    scales[row] = largest / 127.0f;
}
