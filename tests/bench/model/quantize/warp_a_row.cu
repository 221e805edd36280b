// As thread_a_row, but a warp a row, which reads the row twice.
__global__ void quantize(const float *in, signed char *out, float *scales, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float *from = in + (size_t)row * 1024;
    signed char *to = out + (size_t)row * 1024;
    float largest = 0.0f;
    for (int i = lane; i < 1024; i += 32)
        largest = fmaxf(largest, fabsf(from[i]));
    for (int step = 16; step > 0; step /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, step));
    for (int i = lane; i < 1024; i += 32)
        to[i] = (signed char)rintf(from[i] * 127.0f / largest);
    if (lane == 0)
        scales[row] = largest / 127.0f;
}
